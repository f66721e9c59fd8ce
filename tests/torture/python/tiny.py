from hostile import *


def answer(x):
    calm()
    return right(same(x))
