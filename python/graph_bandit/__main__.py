"""The command line: `gbandit`, or `python -m graph_bandit`."""

import signal
import sys

from ._core import command


def main() -> None:
    """Runs the command line with the arguments of this process, and ends it."""
    # The compiled program handles Ctrl-C: Python does not run while it does.
    # Where it was ignored, as in the background, it stays so.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Studies may name your own code by import path: it is found here, as by `python -m`.
    if not sys.flags.safe_path:
        sys.path.append("")
    sys.exit(command(sys.argv[1:]))


if __name__ == "__main__":
    main()
