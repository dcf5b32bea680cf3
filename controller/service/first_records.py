"""The first records of a start: changes to the files while the service was stopped.

A restored backup, or a disk moved to another machine, holds the table until two people release it,
as after any loss.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import structlog

from controller.engine.session import Session
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.runtime.open_table import JournalPlaces
from controller.table.commands.device_events import JournalLossEvent, NoticeEvent
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.upkeep import backups
from controller.upkeep.machine import binding
from controller.upkeep.machine.binding import Finding, Known, MachineFingerprint

log = structlog.get_logger()


def record_restored_backup(session: Session, journal: Path, now: float) -> None:
    """Record that a backup was restored while the table was stopped."""
    restored = backups.waiting(journal)
    if restored is not None:
        log.error("journal_restored", says=restored.summary)
        lost = JournalLossEvent(note=restored_sentence(restored))
        session.handle(Message("system", lost, at=now))
        backups.recorded(journal)


def restored_sentence(restored: backups.Restored) -> Sentence:
    record, people, lost = restored.records, restored.people, restored.lost
    if restored.parted is not None:
        parted = restored.parted
        return sentence(
            Code.JOURNAL_REPLACED, people=people, record=record, parted=parted, lost=lost
        )
    if people:
        return sentence(Code.JOURNAL_RESTORED, people=people, record=record, lost=lost)
    return sentence(Code.JOURNAL_PUT_BACK, record=record)


def record_other_machine(
    session: Session, places: JournalPlaces, identity: Mapping[str, str], now: float
) -> None:
    """Record that the disk is in another PC than the one that wrote its journal. The record comes
    before the binding, so that a stop between them repeats it. A machine without an identity cannot
    be distinguished from another."""
    machine = MachineFingerprint.of(identity)
    if not machine.parts:
        log.warning(
            "machine", says="this machine says nothing of itself: a copied disk is not found"
        )
        return
    found = binding.look(machine, places.journal, places.head)
    if found.known is not Known.SAME:
        log.warning("machine", known=found.known.value, machine=machine.name)
        session.handle(Message("system", _word_for(machine, found), at=now))
    if found.before != machine:
        binding.bind(machine, places.head, places.keys(os.urandom).signer)


def _word_for(machine: MachineFingerprint, found: Finding) -> Payload:
    if found.known is Known.FIRST:
        return NoticeEvent(note=sentence(Code.MACHINE_BOUND, machine=machine.name))
    if found.before is None:
        return JournalLossEvent(note=sentence(Code.MACHINE_NOT_KNOWN, machine=machine.name))
    params = {"machine": machine.name, "before": found.before.name}
    return JournalLossEvent(note=sentence(Code.MACHINE_IS_ANOTHER, **params))
