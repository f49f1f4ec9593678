"""Check the app: format, lint, types and accessibility, then its unit tests.

Any warning is an error. With `--fix`, format only, and fix what the linter can fix.
"""

from __future__ import annotations

import subprocess
import sys

from build import ROOT, find_node, install, run

FILES = ("web/**/*.", "src/pleasance/games/*/web/**/*.")
LINTED = [f"{files}{{js,ts,svelte}}" for files in FILES]
FORMATTED = [f"{files}{{js,ts,svelte,css}}" for files in FILES]
ESLINT = ("-c", "web/eslint.config.js", "--max-warnings=0")
PRETTIER = ("--config=web/prettier.config.js", "--ignore-path=web/.prettierignore")


def main() -> int:
    """Run every tool; each prints what is wrong."""
    is_fix = "--fix" in sys.argv[1:]
    node = find_node()
    try:
        install(node, with_checks=True)
        mode = "--write" if is_fix else "--check"
        run(node, "prettier", *PRETTIER, mode, "--log-level=warn", *FORMATTED, cwd=ROOT)
        run(node, "eslint", *ESLINT, *(["--fix"] if is_fix else []), *LINTED, cwd=ROOT)
        if not is_fix:
            run(node, "svelte-check", "--fail-on-warnings", "--output", "human")
            run(node, "vitest", "run", "--passWithNoTests")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"web/check.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
