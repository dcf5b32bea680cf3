"""Maintenance of a table PC: backups, file checks, the doctor, signatures."""

import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from controller.config import file as config
from controller.console.auth.accounts import Accounts, Tried
from controller.game.roles import Ladder, Role
from controller.journal.errors import JournalError, KeyRefused
from controller.journal.keys.files import read_keys
from controller.messages.catalogue import catalogue
from controller.messages.codes import ParamKind
from controller.runtime.open_table import JournalPlaces
from controller.table import approvals
from controller.table.approvals import Act
from controller.upkeep import (
    backups,
    bundle,
    doctor,
    files,
    integrity,
    nightly,
    results,
    signing,
)
from controller.upkeep.machine import release, retire
from controller.upkeep.selftest import Machine

upkeep_app = typer.Typer()
sign_app = typer.Typer(help="Make keys and signatures; never run it on the table PC.")

ConfigFile = Annotated[Path, typer.Option("--config", help="the table's TOML file", metavar="FILE")]
SiteKey = Annotated[
    Path | None,
    typer.Option(help="the site's public key; site.pub beside the TOML file otherwise"),
]
DEFAULT_CONFIG = integrity.CONFIG_FILE
TRUSTED_MAKER = DEFAULT_CONFIG.with_name(integrity.MAKER_KEY)
Backups = Annotated[Path, typer.Option("--backups", help="the folder of backups")]
DEFAULT_BACKUPS = Path("/var/lib/sabot/backups")


def register(app: typer.Typer) -> None:
    app.add_typer(upkeep_app)
    app.add_typer(sign_app, name="sign")


@upkeep_app.command("backup")
def backup(
    to: Annotated[Path, typer.Option(help="the folder for backups")],
    config_file: ConfigFile = DEFAULT_CONFIG,
    keep: Annotated[int | None, typer.Option(min=1, help="newest backups to keep")] = None,
) -> None:
    """Back up the journal of a running table; checked before and after."""
    loaded = config.load(config_file)
    try:
        made = backups.back_up(
            Path(loaded.journal.path), Path(loaded.journal.head), to, datetime.now(UTC)
        )
    except (backups.BackupError, JournalError, OSError) as error:
        _keep(loaded, results.BACKUP, good=False, says=str(error))
        raise backups.BackupError(str(error)) from error
    _keep(loaded, results.BACKUP, good=True, says=made.summary)
    typer.echo(made.summary)
    for old in backups.prune(to, keep) if keep is not None else []:
        typer.echo(f"{old}: removed")


@upkeep_app.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="a journal-*.db of `backup`")],
    config_file: ConfigFile = DEFAULT_CONFIG,
) -> None:
    """Restore a backup while the table is stopped; the old journal is moved aside.

    Going back behind the last record that was kept, or to another history than the kept head is of,
    asks two people for name and PIN.
    """
    loaded = config.load(config_file)
    journal, head = Path(loaded.journal.path), Path(loaded.journal.head)
    people: tuple[str, ...] = ()
    if (apart := backups.undone_by(file, journal, head)).undoes:
        typer.echo(f"{backups.why_two_people(file, apart)}.")
        people = _two_people(Accounts(Path(loaded.console.staff)), loaded.rules().ladder)
    typer.echo(backups.put_back(file, journal, head, people, datetime.now(UTC)).summary)
    _tell_of_keys(loaded)


def _tell_of_keys(loaded: config.Config) -> None:
    """Warn if the restored journal needs a key that was replaced, or one that is missing."""
    files = loaded.journal
    try:
        keys = read_keys(Path(files.path), Path(files.key), Path(files.signing))
    except KeyRefused as error:
        typer.echo(f"the table cannot start with it yet: {error}", err=True)
        return
    if keys is not None and keys.warning is not None:
        typer.echo(keys.warning, err=True)


def _two_people(
    accounts: Accounts, ladder: Ladder, act: Act = Act.RESTORE_JOURNAL
) -> tuple[str, str]:
    """Ask for two different people with sufficient roles and check their PINs."""
    found: list[str] = []
    for which in ("First", "Second"):
        who = typer.prompt(f"{which} person")
        tried, account, _ = accounts.attempt(who, typer.prompt("PIN", hide_input=True))
        if tried is not Tried.RIGHT or account is None:
            raise backups.BackupError("wrong name or PIN")
        row = approvals.approval_row(act)
        if account.role not in {role.value for role in Role if ladder.may_act(role, row.role)}:
            least = catalogue().name(ParamKind.A_ROLE, row.role.value)
            raise backups.BackupError(f"{who} may not approve this: needs {least} or above")
        if row.second and who in found:
            raise backups.BackupError("this needs two people")
        found.append(who)
    return found[0], found[1]


@upkeep_app.command("retire")
def retire_(
    out: Annotated[Path, typer.Argument(help="a new folder on another disk, for the export")],
    config_file: ConfigFile = DEFAULT_CONFIG,
) -> None:
    """Take a table PC out of service: export and verify the journal, then destroy the keys.

    The table must be stopped. Two people give name and PIN, and nothing brings the keys back."""
    loaded = config.load(config_file)
    files = loaded.journal
    places = JournalPlaces(Path(files.path), Path(files.head), Path(files.key), Path(files.signing))
    named = ", ".join(str(each) for each in retire.key_files(places)) or "no key at all"
    typer.echo(f"After the export these are destroyed: {named}. Two people must approve.")
    rules = loaded.rules()
    people = _two_people(Accounts(Path(loaded.console.staff)), rules.ladder, Act.RETIRE_TABLE)
    done = retire.retire(rules, places, out, people, time.time())
    typer.echo(f"{done.copy}: {done.head.seq} records, proven; digest {done.head.digest.hex()}")
    for path in done.destroyed:
        typer.echo(f"{path}: destroyed")


@upkeep_app.command("verify-files")
def verify_files(config_file: ConfigFile = DEFAULT_CONFIG, site_key: SiteKey = None) -> None:
    """Check every installed file and the configuration against their signatures."""
    _tell(nightly.check_files(config.load(config_file), config_file, site_key))


@upkeep_app.command("verify-night")
def verify_night(config_file: ConfigFile = DEFAULT_CONFIG, site_key: SiteKey = None) -> None:
    """Check the whole journal and every installed file; a timer runs this every night."""
    loaded = config.load(config_file)
    journal = nightly.check_journal(loaded)
    findings = [journal, *nightly.check_files(loaded, config_file, site_key)]
    bad = [str(each) for each in findings if not each.good]
    text = "; ".join(bad) or f"journal and files are good: {journal.text}"
    _keep(loaded, results.NIGHT, good=not bad, says=text)
    _tell(findings)


def _keep(loaded: config.Config, job: str, *, good: bool, says: str) -> None:
    """Write the result for the doctor and the running table; a write error is reported."""
    try:
        results.keep(loaded, job, results.JobResult(time.time(), good, says))
    except OSError as error:
        typer.echo(f"the result could not be stored: {error}", err=True)


@upkeep_app.command("can-open")
def can_open(config_file: ConfigFile = DEFAULT_CONFIG) -> None:
    """Check that this release can open the journal, before an update or rollback."""
    _tell([nightly.can_open(config.load(config_file))])


def _tell(findings: list[integrity.FileFinding]) -> None:
    for finding in findings:
        typer.echo(str(finding), err=not finding.good)
    if not all(finding.good for finding in findings):
        raise typer.Exit(1)


@upkeep_app.command("doctor")
def doctor_(
    config_file: ConfigFile = DEFAULT_CONFIG,
    folder: Backups = DEFAULT_BACKUPS,
    site_key: SiteKey = None,
) -> None:
    """Print one page on the state of this table PC, for a call to support."""
    findings = doctor.examine(_patient(config_file, site_key), folder)
    typer.echo(doctor.page(findings), nl=False)
    if not all(finding.good for finding in findings):
        raise typer.Exit(1)


@upkeep_app.command("support-bundle")
def support_bundle(
    out: Annotated[Path, typer.Argument(help="the zip to write; must not exist")],
    config_file: ConfigFile = DEFAULT_CONFIG,
    folder: Backups = DEFAULT_BACKUPS,
) -> None:
    """Collect data for support: no sealed card, no secret, no player's name."""
    patient = _patient(config_file)
    page = doctor.page(doctor.examine(patient, folder))
    try:
        bundle.pack(patient.config, config_file, page, datetime.now(UTC), out)
    except FileExistsError:
        raise typer.BadParameter(f"{out} exists: name another file") from None
    typer.echo(f"{out}: {out.stat().st_size} bytes")


def _patient(config_file: Path, site_key: Path | None = None) -> doctor.Patient:
    loaded = config.load(config_file)
    machine = Machine(now=time.time)
    return doctor.Patient(
        loaded, config_file, machine, doctor.ask_console, doctor.systemd_state, site_key
    )


@sign_app.command("make-key")
def sign_make_key(
    name: Annotated[Path, typer.Argument(help="NAME.key and NAME.pub are written")],
) -> None:
    """Make a new pair of keys. NAME.key never goes to a table PC; NAME.pub does."""
    private, public = (name.with_name(name.name + end) for end in (".key", ".pub"))
    typer.echo(f"{public}: fingerprint {signing.make_key(private, public)}")


@sign_app.command("file")
def sign_file(
    file: Annotated[Path, typer.Argument(help="a configuration, say; FILE.sig is written")],
    key: Annotated[Path, typer.Option(help="the private key")],
) -> None:
    """Sign one file with the site's or the maker's key."""
    target = file.with_name(file.name + files.SIGNATURE)
    target.write_bytes(signing.sign(file.read_bytes(), key))
    typer.echo(str(target))


@sign_app.command("wheels")
def sign_wheels(
    wheelhouse: Annotated[Path, typer.Argument(help="a folder of wheels: all that is installed")],
    key: Annotated[Path, typer.Option(help="the maker's private key")],
    also: Annotated[
        list[str] | None, typer.Option(help="INSTALLED=SOURCE, a file outside the environment")
    ] = None,
) -> None:
    """List what its wheels install (manifest.json) and every file that it brings (release.json),
    and sign both. Whatever belongs to the release must lie there before."""
    wheels = sorted(wheelhouse.glob("*.whl"))
    own = [wheel for wheel in wheels if wheel.name.startswith("sabot-")]
    if len(own) != 1:
        raise typer.BadParameter(f"{wheelhouse} holds {len(own)} wheels of Sabot, not one")
    pairs = [each.partition("=") for each in also or []]
    others = {installed: Path(source) for installed, _, source in pairs}
    manifest = files.of_wheels(wheels, own[0].name.split("-")[1], others)
    _sign_list(wheelhouse / integrity.MANIFEST, manifest, key)
    _sign_list(wheelhouse / release.LIST, release.listed(wheelhouse, manifest.release), key)


def _sign_list(target: Path, manifest: files.Manifest, key: Path) -> None:
    data = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    target.write_bytes(data)
    target.with_name(target.name + files.SIGNATURE).write_bytes(signing.sign(data, key))
    typer.echo(f"{target}: {len(manifest.files)} files")


@upkeep_app.command("verify-release")
def verify_release(
    brought: Annotated[Path, typer.Argument(help="a wheelhouse, or a package with its .sig")],
    key: Annotated[
        Path, typer.Option(help="the maker's public key that this PC trusts")
    ] = TRUSTED_MAKER,
) -> None:
    """Check that a release was signed by the maker, before it runs.

    Every file must be as it was signed by the key that this PC trusts, none may be there that the
    list does not have, and a wheelhouse may not be older than what is installed."""
    typer.echo(f"good  {release.verify(brought, key, version('sabot'))}")
