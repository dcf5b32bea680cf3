from controller.game import errors


def test_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    drawn = [
        line.split()[1]
        for line in (errors.__doc__ or "").splitlines()
        if line.startswith(("├", "└"))
    ]
    assert drawn == [each.__name__ for each in errors.GameError.__subclasses__()]


def test_nearest_name_is_suggested_or_all_are_listed() -> None:
    assert errors.nearest("bankr", ["player", "banker"]) == "did you mean 'banker'?"
    assert errors.nearest("xyz", ["player", "banker"]) == "there are: player, banker"
