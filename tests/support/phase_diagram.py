"""`python -m support.phase_diagram`: writes the diagram of the phase machine into README.md."""

import re
from pathlib import Path
from typing import Final

from transitions.extensions import GraphMachine

from controller.engine.phases import ROWS
from controller.table.phases import AFTER_THE_CALL, ROUND_PHASES, Phase

README: Final = Path(__file__).parents[2] / "README.md"
BEGIN: Final = "<!-- the machine, drawn from its rows -->\n"
END: Final = "<!-- end of the machine -->\n"

_STYLE: Final = re.compile(r" *(?:classDef|Class) ")
"""Colours: the reader's own scheme is better."""

GROUPS: Final = {
    ROUND_PHASES: "any_phase_of_a_round",
    AFTER_THE_CALL: "any_phase_after_the_call",
}
"""Each is drawn as one state, so that a row from many phases is one edge."""


def phase_diagram() -> str:
    """The rows as a Mermaid diagram, drawn by the library."""
    machine = GraphMachine(
        states=[*GROUPS.values(), *(phase.value for phase in Phase)],
        transitions=[
            {
                "trigger": row.trigger.value,
                "source": name_of(row.source),
                "dest": row.dest.value,
                "conditions": list(row.guards),
            }
            for row in ROWS
        ],
        initial=Phase.CLOSED.value,
        auto_transitions=False,
        title="The phases of a table",
        show_conditions=True,
        graph_engine="mermaid",
    )
    drawn: str = machine.get_graph().draw(None)
    lines = (line.rstrip() for line in drawn.splitlines())
    return "\n".join(line for line in lines if line and not _STYLE.match(line))


def name_of(source: Phase | frozenset[Phase]) -> str:
    return source.value if isinstance(source, Phase) else GROUPS[source]


def section() -> str:
    """What stands in README.md from one mark to the other."""
    return f"{BEGIN}```mermaid\n{phase_diagram()}\n```\n{END}"


def main() -> None:
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    README.write_text(before + section() + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
