"""The way in: `python -m pleasance`, and what the `pleasance` command calls."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C is quiet also while it is being loaded."""
    try:
        from pleasance.cli import main as run  # noqa: PLC0415  (so that it can be interrupted)
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
