"""What a figure is held to, printed beside it: a reader sees at once what is reached. Nothing is
asserted, because how fast a machine is at this moment is no property of the code."""


def at_most(figure: float, target: float) -> str:
    return _told(f"at most {target:g}", reached=figure <= target)


def at_least(figure: float, target: float) -> str:
    return _told(f"at least {target:g}", reached=figure >= target)


def _told(target: str, *, reached: bool) -> str:
    return f"target {target}: {'met' if reached else 'NOT MET'}"
