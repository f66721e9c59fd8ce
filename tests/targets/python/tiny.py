"""Things that are hard to switch.

    if indented: text stays as it is
"""
import functools

calls = 0

TABLE = """\
a 1
b 2
"""


def counted(function):
    """Counts calls."""

    @functools.wraps(function)
    def inner(*args):
        global calls
        calls += 1
        return function(*args)

    return inner


@counted
def name(number):
    """A name for a number."""
    if number < 0:
        return "debt"
    elif number == 0:
        return "none"
    elif number in (1, 2):
        return "few"
    else:
        text = """many
  of them"""
        return text


def total(numbers, limit=10):
    seen = 0

    def add(number):
        nonlocal seen
        seen += number
        return seen > limit

    for number in numbers:
        if add(number): break
    else:
        return -seen
    return seen


def look(key):
    rows = dict(line.split() for line in TABLE.splitlines())
    try:
        return int(rows[key])
    except KeyError:
        return None
    finally:
        rows.clear()


class Box:
    size = 3

    @property
    def area(self):
        return self.size * self.size + 1

    def grow(self, by=1):
        while by > 0 and self.size < 100:
            self.size += 1
            by -= 1
        return self
