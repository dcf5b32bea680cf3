"""What counts as recursion, and that the table's loop has none."""

from pathlib import Path

from house import recursion
from house.source import ROOT

LOOP = """
from folder.other import helped
class Loop:
    def __init__(self): self.part = Part()
    def run(self): self.step()
    def step(self): return partial(self.part.ask, self.inbox.ask)
    def unused(self): self.unused()
class Part:
    def ask(self): return helped()
"""


def test_a_circle_is_found_through_parts_and_modules(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    other = tmp_path / "other.py"
    other.write_text("def helped(loop): return loop.step()")
    assert recursion.below("loop.Loop.run", tmp_path) == []
    other.write_text("from folder.loop import Loop\ndef helped(): return Loop.step")
    circle = ["loop.Loop.step", "loop.Part.ask", "other.helped"]
    assert recursion.below("loop.Loop.run", tmp_path) == circle


def test_no_function_of_the_loop_comes_back_to_itself() -> None:
    assert recursion.below(recursion.LOOP, ROOT / "controller" / "runtime") == []
