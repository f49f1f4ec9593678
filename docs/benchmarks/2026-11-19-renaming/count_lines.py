"""Count the lines of code of two source trees, without blanks, comments and docstrings.

    git log --first-parent --diff-merges=first-parent --reverse --format=tformat:commit \
        -M25% -l9000 --name-status FIRST..LAST | python count_lines.py BEFORE AFTER

The log of renames decides where the lines of the first tree count: where their file lies at the
end. Format both trees alike before; the page beside this script says how. A string that stands
alone as a statement is a docstring, under a field too.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

SKIPPED_FOLDERS = {"dist", "docs", "node_modules", "__pycache__"}
WEB_LANGUAGES = {".ts": "TypeScript", ".svelte": "Svelte", ".css": "CSS"}
LAYOUT_TOKENS = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
STRING_OR_COMMENT = re.compile(
    r"""
    (?P<string> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*` )
    | //[^\n]* | /\*.*?\*/ | <!--.*?-->
    """,
    re.DOTALL | re.VERBOSE,
)


def main() -> int:
    """Print one row for each kind of code and for each of its folders."""
    renames = follow_renames(sys.stdin)
    before = count_tree(Path(sys.argv[1]), renames)
    after = count_tree(Path(sys.argv[2]), {})
    for row in sorted(before | after):
        numbers = f"{before[row]:7,} {after[row]:7,} {after[row] - before[row]:+7,}"
        sys.stdout.write(f"{row:56} {numbers}\n")
    return 0


def follow_renames(log: Iterable[str]) -> dict[str, str]:
    r"""Map each path of the first commit to the path of its file in the last one.

    >>> follow_renames(["commit", "R090\ta\tb", "commit", "R100\tb\tc", "A\ta", "D\tc"])
    {'a': 'c'}
    """
    origins: dict[str, str | None] = {}
    changes: dict[str, str | None] = {}
    for line in [*log, "commit"]:
        status, *paths = line.rstrip("\n").split("\t")
        if status == "commit":
            origins |= changes
            changes = {}
        elif status == "A":
            changes[paths[0]] = None
        elif status.startswith("R"):
            old, new = paths
            changes[new] = origins.pop(old, old)
    return {origin: path for path, origin in origins.items() if origin}


def count_tree(tree: Path, renames: Mapping[str, str]) -> Counter[str]:
    """Count the lines of every source file below *tree*, in sum and by folder."""
    lines: Counter[str] = Counter()
    for path in list_sources(tree):
        text = path.read_text(encoding="utf-8")
        place = path.relative_to(tree)
        kind = name_kind(place)
        moved = Path(renames.get(place.as_posix(), place))
        count = count_python(text) if path.suffix == ".py" else count_web(text)
        lines[kind] += count
        lines[f"{kind}, {name_folder(moved if name_kind(moved) == kind else place)}"] += count
        if path.suffix == ".py":
            lines[f"{kind}, of which imports"] += count_imports(text)
    return lines


def list_sources(tree: Path) -> Iterator[Path]:
    """List the Python files below *tree*, and those of the app for browsers."""
    for path in sorted(tree.rglob("*")):
        folders = set(path.relative_to(tree).parts)
        is_web = path.suffix in WEB_LANGUAGES and "web" in folders
        if (is_web or path.suffix == ".py") and not SKIPPED_FOLDERS & folders:
            yield path


def name_kind(place: Path) -> str:
    """Name the kind of code: Python of the package, of tests or other, or a language of the app."""
    if place.suffix in WEB_LANGUAGES:
        return WEB_LANGUAGES[place.suffix] + (" tests" if ".test." in place.name else "")
    if "tests" in place.parts or place.name == "conftest.py":
        return "Python tests"
    return "Python src" if place.parts[0] == "src" else "Python other"


def name_folder(place: Path) -> str:
    """Name the folder that a file is counted under.

    >>> name_folder(Path("src/pleasance/games/sakura/rules/path.py"))
    'src/pleasance/games/sakura'
    """
    depth = 2 if place.parts[0] in {"tests", "web"} else 1
    if "src" in place.parts:
        depth = 4 if "games" in place.parts else 3
    return "/".join(place.parent.parts[:depth]) or "."


def count_python(text: str) -> int:
    r"""Count the lines of a Python file that hold code.

    >>> count_python("def f():  # why\n    'What.'\n\n    return 1\n")
    2
    """
    rows = {
        row
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in LAYOUT_TOKENS
        for row in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and is_string(node.value):
            rows -= set(list_rows(node))
    lines = text.splitlines()
    return sum(1 for row in rows if lines[row - 1].strip())


def count_imports(text: str) -> int:
    """Count the lines of import statements."""
    nodes = ast.walk(ast.parse(text))
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return sum(len(list_rows(node)) for node in imports)


def is_string(node: ast.expr) -> bool:
    """Check whether an expression is a plain string."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def list_rows(node: ast.stmt) -> range:
    """List the numbers of the lines of a statement."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def count_web(text: str) -> int:
    r"""Count the lines of a TypeScript, Svelte or CSS file that hold code.

    >>> count_web("<!-- a\nb -->\nat('http://b'); // c\n")
    1
    """
    code = STRING_OR_COMMENT.sub(lambda found: found["string"] or "", text)
    return sum(1 for line in code.splitlines() if line.strip())


if __name__ == "__main__":
    sys.exit(main())
