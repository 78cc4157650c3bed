import abc
from abc import abstractmethod

LIMIT = 1
xY = 2


class Store(abc.ABC):
    @abstractmethod
    def read(self): ...

    @abc.abstractmethod
    def write(self): ...

    @property
    @abstractmethod
    def size(self): ...
