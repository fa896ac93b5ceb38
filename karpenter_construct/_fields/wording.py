"""How a message shows what was given, and what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


AS_STRING = "write Token.as_string(...)"
"""What to do about a placeholder that is no string where one is needed."""


def text_of(value: str) -> str:
    """The characters of a string, whatever a class of its own says it is: ``str()`` of an enum is its name."""
    return str.__str__(value)


def refuse(expected: str, value: object, fix: str = "") -> NoReturn:
    """Raise what `_model` turns into a problem at the field's path."""
    raise ValueError(f"{expected}, got {shown(value)}" + (f"; {fix}" if fix else ""))


_LONGEST_GUESS = 100
# Below this, what difflib calls near has as many letters that differ: `replicas` and `template`.
_NEAR = 0.65
_SHORTEST_BEGINNING = 3


def suggestion(word: object, known: Sequence[str]) -> str:
    """The clause that proposes the nearest of the known words, empty where none is near."""
    if not isinstance(word, str) or len(word) > _LONGEST_GUESS:
        return ""
    # Imported late: only a mistake needs it.
    import difflib  # noqa: PLC0415

    letters = {_letters(item): item for item in known}
    near = difflib.get_close_matches(_letters(word), letters, n=1, cutoff=_NEAR)
    found = near or [item for item in letters if _is_beginning(_letters(word), item)]
    return f"did you mean {letters[found[0]]!r}?" if found else ""


def _letters(word: str) -> str:
    """A word as both spellings of a field have it, ``user_data`` and ``userData``."""
    return re.sub("[-_ ]", "", word.lower())


def _is_beginning(one: str, other: str) -> bool:
    """Whether one word begins with the other: ``kubeletConfiguration`` and ``kubelet``."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _SHORTEST_BEGINNING and longer.startswith(shorter)
