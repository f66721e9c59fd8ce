import middle
import pytest


@pytest.mark.parametrize('x, y, z', [(3, 3, 5), (1, 2, 3), (3, 2, 1), (5, 5, 5), (5, 3, 4), (2, 1, 3)])
def test_middle(x, y, z):
    assert middle.middle(x, y, z) == sorted([x, y, z])[1]
