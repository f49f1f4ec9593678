"""The code uses the trade's terms: a search for a concept finds the module that implements it."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TERMS = """
idempotency key · optimistic concurrency · group commit · event log · event sourcing · snapshot ·
delta · backpressure · outbox · pub/sub · LISTEN/NOTIFY · middleware · dependency injection ·
exception handler · rate limit · token bucket · CSRF · origin check · CSP · SSRF · DNS rebinding ·
session · access token · scope · personal data · export · erasure · GDPR · webhook signature ·
lease · job queue · worker · migration · matchmaking · seek · pairing · takeback · rematch ·
serializer · codec · feature · embedding · accumulator · NNUE · learning rate · gradient ·
temperature · epsilon · TD(λ) · replay buffer · self-play · rollout · determinization ·
sequential halving · confidence sequence · sequential test
"""
DIALECT = re.compile(r"\b(anew|somebody|nobody|sees? to|is told of|so many|so much)\b")
BRITISH = re.compile(
    r"\w*(catalogue|colour|favour|behaviour|neighbour|honour|labour|centre|judgement|licence"
    r"|acknowledgement|artefact)\w*",
    re.IGNORECASE,
)
HEADLESS = re.compile(r"(Tell|What|Who|Whoever|Whatever|Where|So (many|much|long))\b")


@cache
def trees(folder: str) -> dict[Path, ast.Module]:
    files = sorted((ROOT / folder).rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}


def docstrings() -> Iterator[str]:
    """List all docstrings, those of constants, fields and tests too."""
    for tree in (*trees("src").values(), *trees("tests").values()):
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield str(node.value.value)


@cache
def module_heads() -> str:
    """Return the name and the first docstring sentence of every module, one a line."""
    heads = []
    for path, tree in trees("src/pleasance").items():
        if "tests" not in path.parts:
            paragraph = (ast.get_docstring(tree) or "").split("\n\n")[0]
            sentence = re.split(r"\.\s", " ".join(paragraph.split()))[0]
            heads.append(f"{path.stem.replace('_', ' ')}: {sentence}")
    return "\n".join(heads).lower()


@pytest.mark.slow
@pytest.mark.parametrize("term", [term.strip() for term in TERMS.split("·")])
def test_a_search_for_the_term_finds_the_module_that_implements_it(term: str) -> None:
    assert re.search(rf"(?<!\w){re.escape(term.lower())}", module_heads())


@pytest.mark.slow
def test_docstrings_begin_with_a_subject_or_a_verb() -> None:
    assert [text for text in docstrings() if HEADLESS.match(text)] == []


@pytest.mark.slow
def test_docstrings_are_plain_english() -> None:
    assert [text for text in docstrings() if DIALECT.search(text)] == []


@pytest.mark.slow
def test_the_spelling_is_american() -> None:
    """Colors named "grey" are words of the box; "cancelled" is the spelling of asyncio.

    Component files are left out: a corrected comment would change the checksum of the data.
    """
    folders = ("docs", "src", "tests", "web/src", "benchmarks", "examples", "native", "tools")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    found = {
        str(path.relative_to(ROOT)): word[0]
        for path in (*ROOT.glob("*.md"), *paths)
        if path.suffix in {".md", ".py", ".ts", ".svelte"} or path.name == "en.json"
        if path != Path(__file__) and (word := BRITISH.search(path.read_text(encoding="utf-8")))
    }
    assert not found
