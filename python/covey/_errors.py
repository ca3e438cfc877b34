"""What can go wrong: one class per exit code of the command, each with the place of the fault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from . import _core
from ._arguments import in_arguments

if TYPE_CHECKING:
    from ._places import Places


class Error(Exception):
    """Anything that covey reports.

    Attributes:
        code: exit code of the command ``covey`` for it: 1 the answer is no, 2 bad input or usage, 3 the system failed.
        file: file that the complaint is about, None if it is about none (data in memory have none).
        row: its line, the first is 1; of data in memory the row, the first is 1; None if there is no such place.
        column: the name of a column, or the place in the line; None if there is none.
        parameter: parameter of a model or method that the complaint is about, or the place in a policy of keywords
            (quasi["zip"]["mask"]), or None.
    """

    code: int = 3

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        row: int | None = None,
        column: str | int | None = None,
        parameter: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.row = row
        self.column = column
        self.parameter = parameter

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), str(self), self.__dict__)


def _rebuild(kind: type[Error], message: str, fields: dict[str, Any]) -> Error:
    error = kind(message)
    error.__dict__.update(fields)
    return error


class InputError(Error, ValueError):
    """Wrong usage or bad input: a file, policy, table or argument that cannot be what was meant."""

    code = 2


class Infeasible(Error):
    """No release can keep the policy.

    Attributes:
        nearest: what to change in the policy so that a release exists, in the shape of the policy; None where no such
            policy is known.
    """

    code = 1

    def __init__(self, message: str, *, nearest: dict[str, Any] | None = None, **place: Any) -> None:
        super().__init__(message, **place)
        self.nearest = nearest


class SystemError_(Error):
    """The system failed: memory, disk, a server."""

    code = 3


class Cancelled(SystemError_):
    """The caller's progress function asked to stop."""


class CoveyWarning(UserWarning):
    """Something about a policy or a table that whoever publishes should read."""


_KINDS = {
    "infeasible": Infeasible,
    "invalid": InputError,
    "parse": InputError,
    "not-found": InputError,
    "exists": InputError,
    "cancelled": Cancelled,
}


def raise_error(error: _core.CoreError, sources: dict[str, str], places: Places | None = None) -> NoReturn:
    """Raises what the library said. sources: how data in memory are to be called, by what the library calls them;
    places: of a policy that is no file."""
    status, message, file, row, column, column_number, parameter, nearest = error.args
    message = in_arguments(message or status)
    for source, shown in sources.items():
        message = message.replace(source, shown)
        if file == source:
            file = None
    if places is not None and file == places.name:
        message, found = places.complaint(message, row, column_number)
        file, row, column, column_number = None, found.row or 0, found.column, 0
        parameter = parameter or found.words or None
    elif places is not None:
        message = places.in_words(message)
    place = {"file": file, "row": row or None, "column": column or column_number or None, "parameter": parameter}
    kind = _KINDS.get(status, SystemError_)
    if kind is Infeasible:
        raise Infeasible(message, nearest=json.loads(nearest) if nearest else None, **place) from None
    raise kind(message, **place) from None
