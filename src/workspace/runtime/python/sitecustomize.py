"""What the guards of a meta-program ask: which mutant of a unit is on. Read from the environment once."""
import builtins
import os

_on = {}
for _item in filter(None, os.environ.get("WILDCAUGHT_ON", "").split(",")):
    _unit, _, _mutant = _item.partition(":")
    _on[int(_unit)] = int(_mutant)
_reach = os.environ.get("WILDCAUGHT_REACH")
_file = os.open(_reach, os.O_WRONLY) if _reach else None
_seen = set()


def _off(unit):
    if _file is not None and unit not in _seen:
        _seen.add(unit)
        os.pwrite(_file, b"\x01", unit)
    return unit not in _on


builtins.wildcaught_off = _off
builtins.wildcaught_is = lambda unit, mutant: _on.get(unit) == mutant
