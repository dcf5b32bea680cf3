from controller.journal import errors


def test_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    drawn = [
        line.split()[1]
        for line in (errors.__doc__ or "").splitlines()
        if line.startswith(("├", "└"))
    ]
    assert drawn == [each.__name__ for each in errors.JournalError.__subclasses__()]


def test_a_damage_carries_its_record_and_digests() -> None:
    found = errors.JournalDamaged("record 7 ...", seq=7, expected=b"a", found=b"b")
    assert (str(found), found.seq, found.expected, found.found) == ("record 7 ...", 7, b"a", b"b")
