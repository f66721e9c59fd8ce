import pytest

import tiny


@pytest.mark.parametrize("number, text", [(-1, "debt"), (0, "none"), (2, "few"), (7, "many\n  of them")])
def test_numbers_have_names(number, text):
    before = tiny.calls
    assert tiny.name(number) == text
    assert tiny.calls == before + 1


def test_totals_stop_at_the_limit():
    assert tiny.total([1, 2]) == -3
    assert tiny.total([6, 6, 6]) == 12


def test_rows_are_found():
    assert tiny.look("b") == 2
    assert tiny.look("c") is None


def test_boxes_grow():
    assert tiny.Box().grow(2).area == 26


@pytest.mark.skip(reason="it would fail")
def test_what_is_skipped_does_not_count():
    assert tiny.total([]) is None
