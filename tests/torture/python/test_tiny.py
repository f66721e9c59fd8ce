import tiny


def test_two_is_doubled():
    assert tiny.answer(2) == 4


def test_five_is_doubled():
    assert tiny.answer(5) == 10
