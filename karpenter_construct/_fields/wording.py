"""How a message shows what was given, and what may have been meant."""

from __future__ import annotations

from reprlib import Repr
from types import FunctionType, MethodType
from typing import NoReturn


class _Short(Repr):
    """The library's, but for objects without a ``repr`` of their own: an address says nothing."""

    def repr_instance(self, value: object, level: int) -> str:
        """What `Repr` calls for whatever it does not know."""
        if type(value).__repr__ is object.__repr__:
            return f"<{type(value).__module__}.{type(value).__qualname__}>"
        return super().repr_instance(value, level)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 100
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 4


_MOST_BITS = 256


def shown(value: object) -> str:
    """``value`` as a message shows it: its ``repr``, cut where it is long; without one of its own, what it is."""
    # Python refuses to write integers of more than 4,300 digits.
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, type):
        return f"the class {value.__module__}.{value.__qualname__}"
    if isinstance(value, (FunctionType, MethodType)):
        return f"the function {value.__qualname__}"
    if type(value).__repr__ is object.__repr__:
        return f"an object of class {type(value).__module__}.{type(value).__qualname__}"
    return _SHORT.repr(value)


def digits(value: object) -> str | None:
    """A number or truth value as a string of YAML says it; ``None`` for all else, and for very large numbers."""
    if isinstance(value, bool):
        return str(value).lower()
    is_small = isinstance(value, int) and value.bit_length() <= _MOST_BITS
    return str(value) if is_small or isinstance(value, float) else None


def refuse(expected: str, value: object, fix: str = "") -> NoReturn:
    """Raise what `_model` turns into a problem at the field's path."""
    raise ValueError(f"{expected}, got {shown(value)}" + (f"; {fix}" if fix else ""))


_LONGEST_GUESS = 100


def suggestion(word: object, known: tuple[str, ...] | list[str]) -> str:
    """The clause that proposes the nearest of the known words, empty where none is near."""
    if not isinstance(word, str) or len(word) > _LONGEST_GUESS:
        return ""
    # Imported late: only a mistake needs it.
    import difflib  # noqa: PLC0415

    lowered = {item.lower(): item for item in known}
    near = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.5)
    return f"did you mean {lowered[near[0]]!r}?" if near else ""
