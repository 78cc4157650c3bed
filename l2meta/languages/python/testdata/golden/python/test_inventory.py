"""Inventory of a warehouse, and the tests of it.

Nothing here touches the disk.
"""
from __future__ import annotations

import asyncio
import json as js, os.path
from collections import defaultdict, \
    OrderedDict as Ordered
from typing import (
    TYPE_CHECKING,
    Generic,
    TypeVar,
)

from . import models
from ..shared.log import *

if TYPE_CHECKING:
    from .stock import Stock
    import decimal

__all__ = ["Inventory", "load"]
__all__ += ("LIMIT",)

# How many items fit on one shelf.
LIMIT: int = 64
_cache, (hits, *misses) = {}, compute(LIMIT)
first = second = make_default()
T = TypeVar("T")
Pairs: TypeAlias = dict[str, tuple[int, int]]
double = lambda x, *rest, by=2: scale(x, by)

try:
    import numpy as np
except ImportError:
    np = None


class Colour(enum.Enum):
    RED = 1
    GREEN = auto()
    _ignore_ = ["tmp"]

    def label(self) -> str:
        return self.name.lower()


@register("shelf", size=LIMIT)
@dataclass(frozen=True)  # compared by value
class Shelf(Base, Generic[T], metaclass=Meta, **options):
    """A shelf holds items of one kind.

        Indented text stays.
    """

    name: str
    items: list[T] = field(default_factory=list)
    MAX = 3
    table = lookup = build(items)

    class Nested:
        depth = 1

        def dig(self): return self.depth

    def __init__(self, name: str, *args: int, colour: Colour = Colour.RED, **kw) -> None:
        # Comments before the first statement belong to the body.
        super().__init__(name, *args)
        self.name = name
        self.owner: Owner | None = find_owner(name)
        self.left, self.right = split(name)
        self._secret = kw.pop("secret")

        def on_change(event, /, *, force=False):
            self.refresh(event)
            event.x = 1

        self.bus.subscribe(on_change, self.reload)

    @property
    def full(self) -> bool:
        'Whether nothing more fits.'
        return len(self.items) >= self.MAX

    @full.setter
    def full(self, value):
        self.forced = value

    @staticmethod
    def parse(text, sep=","):
        return [part.strip() for part in text.split(sep)]

    @classmethod
    async def open(cls, path: os.PathLike) -> Shelf[T]:
        async with connect(path) as session:
            for row in await session.rows():
                yield cls(**row)
        result = await asyncio.gather(*tasks, key=path)
        return result[0].first().build()

    def __repr__(self):
        return f"<{type(self).__name__} {self.label(1)!r}>"
    # a comment that ends the class


def load(path, /, depth: int = 1, *, größe="µ") -> "Inventory":
    global hits
    data = js.loads(open(path).read())
    with open(path) as handle, lock:
        total = data["a"].count() if data else none_of(data)
    if (n := len(data)) > depth:
        models.Stock.objects.filter(id__in=data).update(key=double)
    return Inventory(data, total)


class TestShelf:
    def test_full(self, tmp_path):
        assert Shelf("a").full

    def helper(self):
        pass


@pytest.mark.parametrize("n", [1, 2])
def test_load(n):
    match load("x"):
        case Shelf(name=str() as found):
            check(found)


type Alias[K] = dict[K, list[int]]


def broken(:
    return 1


def after_the_error(a): return helper(a)
