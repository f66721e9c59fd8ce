#!/usr/bin/env python3
"""A module docstring with "quotes", an apostrophe's end, and \""" escaped."""
from __future__ import annotations

import os, sys  # a comment with "quotes"
from typing import (
    Any,
    Callable as Fn,  # inside brackets, lines do not end
)

STRINGS = ['it\'s', "say \"hi\"", 'joined \
line', r'raw \' still', b'bytes\x00', rb"\d+", Rb'\w', BR"x", u'old', '', "" '']
TRIPLE = '''it's "fine" \''' still''', """one " two "" three \""" end""", r"""raw \""""
NUMBERS = [0, 1., .5, 1.5e-3, 1e+10, 2.e5, 0xFF_FF, 0b1010, 0o17, 1_000_000, 1j, 2.5J, 1.e3j]
größe = π = None


class Point[T](Base, metaclass=Meta):
    x: int = 0; y: int = 1

    @property
    def norm(self) -> float:
        return (self.x ** 2 + self.y ** 2) ** 0.5

    @staticmethod
    async def load(path: str, /, *args: Any, mode='r', **kwargs) -> Point | None:
        async with open(path) as f, lock:
            data = [line async for line in f if not line.startswith('#')]
        return await cls(*data, **kwargs) if data else None


def describe(name, width=8, items={}, /):
	'''Indented with a tab.'''
	plain = f"Hello {name!r:>{width}} and {items['key']} {{literal}} {name=} {width:#06x} {1 if name else 2}"
	other = f'{name:%Y-%m-%d} {lambda_(lambda: {"a": 1})} {items["a":"b"]}' rf"\{name}\d{{2}}" F"{'#'}"
	multi = f"""
	{name
	+ "x"} "quoted" {f'{name:{width}.{2}}'} it's
	"""
	nested = f"{items["key"]} {f"{name}"}"
	template = t"<p>{name}</p>"
	if (n := len(items)) > 10 and name is not N