"""Two cases that differ in one thing, the one a clause is about, and come out otherwise."""


def otherwise(*outcomes: object) -> None:
    """No two of these are alike: what the clause looks at is what changed them."""
    for place, one in enumerate(outcomes):
        assert one not in outcomes[:place], f"{one!r} came out twice in {outcomes!r}"
