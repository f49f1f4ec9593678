"""Look at the app without running it: types and accessibility warnings, then its unit tests.

python web/check.py
"""

from __future__ import annotations

import subprocess
import sys

from build import BUILT, build, find_node, is_marked, list_sources, make_key, run


def main() -> int:
    """Check everything; the tools say what is wrong."""
    key = make_key(list_sources())
    if not is_marked(BUILT, key):
        build(key)
    node = find_node()
    try:
        run(node, "npx", "--no-install", "svelte-check", "--fail-on-warnings", "--output", "human")
        run(node, "npx", "--no-install", "vitest", "run", "--passWithNoTests")
    except (OSError, subprocess.CalledProcessError) as trouble:
        print(f"web/check.py: {trouble}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
