"""Files that preserve a loss until it is recorded: it is reported at every start until then.

Before the head is overwritten after a loss, the old head is kept as `<head>.lost-<seq>`, its copy
of the last round's end as `<head>.last.lost-<seq>`, and the loss itself as `<head>.loss`, which
stays until the caller confirms that it is in the journal.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

from controller.journal.errors import JournalUnwritable
from controller.journal.head import last_head_path, write_whole
from controller.journal.loss import Loss


def pending_loss_path(head_path: Path) -> Path:
    """The path of a loss that is not recorded yet."""
    return head_path.with_name(head_path.name + ".loss")


def unrecorded_loss(head_path: Path) -> Loss | None:
    with suppress(FileNotFoundError, msgspec.DecodeError):
        return msgspec.json.decode(pending_loss_path(head_path).read_bytes(), type=Loss)
    return None


def keep_evidence(head_path: Path, loss: Loss) -> None:
    """Store the old head and the pending loss before the head is overwritten."""
    try:
        seq = loss.expected.seq if loss.expected else loss.found.seq
        for each in (head_path, last_head_path(head_path)):
            aside = each.with_name(f"{each.name}.lost-{seq}")
            if each.exists() and not aside.exists():
                write_whole(aside, each.read_bytes())
        write_whole(pending_loss_path(head_path), msgspec.json.encode(loss))
    except OSError as error:
        raise JournalUnwritable(
            f"what {head_path} was cannot be kept aside: {error.strerror}"
        ) from error
