"""The command covey, as the package brings it."""

from __future__ import annotations

import os
import signal
import sys

from . import _core


def main() -> int:
    """Runs the command with the program's arguments; its exit code."""
    if sys.argv[1:2] == ["studio"] and not {"-h", "--help"} & set(sys.argv[2:]):
        from ._studio import command

        return command.main(sys.argv[2:])
    if any(os.path.isdir(word) for word in sys.argv[2:]):
        from . import _parquet

        code = _parquet.main(sys.argv[1:])
        if code is not None:
            return code
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the command's own business, and Python ignores it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.main(tuple(os.fsencode(word) for word in sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
