import pytest

from drivers import errors


def _drawn() -> dict[str, str]:
    """Each class of the tree at the head of the file with the one it hangs under."""
    above: list[tuple[int, str]] = []
    tree = {}
    for line in (errors.__doc__ or "").splitlines():
        depth = max(line.find("├"), line.find("└"))
        if depth < 0:
            if line.strip().startswith("DeviceError"):
                above = [(-1, "DeviceError")]
            continue
        name = line[depth:].split()[1]
        above = [each for each in above if each[0] < depth]
        tree[name] = above[-1][1]
        above.append((depth, name))
    return tree


def test_tree_at_the_head_of_the_file_is_the_tree_of_classes() -> None:
    classes = {
        name: each.__bases__[0].__name__
        for name, each in vars(errors).items()
        if isinstance(each, type) and each is not errors.DeviceError
    }
    assert _drawn() == classes
    assert len(classes) == 7


def test_a_link_that_does_not_move_is_a_timeout_for_everybody() -> None:
    with pytest.raises(TimeoutError):
        raise errors.LinkTimeout("shoe: nothing could be sent for 3 s: is the device server up?")
