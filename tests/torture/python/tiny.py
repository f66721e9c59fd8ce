from hostile import *


def answer(x):
    x += calm() or 0
    return right(same(x))
