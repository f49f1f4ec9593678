"""Compiles a package to LLVM's language, or links that for one target; each in its own process.

    python -m pleasance.compiled.build compile PACKAGE MODULE
    python -m pleasance.compiled.build link MODULE TARGET LIBRARY

`tools/build_kernels.py` runs both for all games and targets.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from pleasance.compiled.build.link import emit_object, link
from pleasance.compiled.build.targets import TARGETS

_GENERIC = {
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_OPT": "0",
    "PLEASANCE_KERNELS": "jit",
}
"""Numba compiles for no processor in particular, and leaves it to the target to optimize."""


def compile_package(package: str, output: Path) -> None:
    """Compile the exports of a package; write the module and, beside it, what it exports."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    os.environ |= _GENERIC
    from pleasance.compiled.build.ir import compile_module, load_exports  # noqa: PLC0415  (loads Numba)
    from pleasance.compiled.sources import hash_sources  # noqa: PLC0415  (only here)

    exports = load_exports(package, ("play", "train"))
    output.write_text(compile_module(exports, hash_sources(package)[0]), encoding="utf-8")
    names = {export.symbol: export.purpose for export in exports}
    output.with_suffix(".json").write_text(json.dumps(names), encoding="utf-8")


def link_module(module: Path, target_name: str, output: Path) -> None:
    """Link a module for a target; the browser gets what is needed to play only."""
    target = next(target for target in TARGETS if target.name == target_name)
    purposes = json.loads(module.with_suffix(".json").read_text(encoding="utf-8"))
    is_browser = target.suffix == "wasm"
    names = [name for name, purpose in purposes.items() if purpose == "play" or not is_browser]
    code = emit_object(module.read_text(encoding="utf-8"), names, target)
    link(code, names, target, output)


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m pleasance.compiled.build")
    steps = parser.add_subparsers(dest="step", required=True)
    compiling = steps.add_parser("compile")
    compiling.add_argument("package")
    compiling.add_argument("module", type=Path)
    linking = steps.add_parser("link")
    linking.add_argument("module", type=Path)
    linking.add_argument("target", choices=[target.name for target in TARGETS])
    linking.add_argument("library", type=Path)
    given = parser.parse_args()
    if given.step == "compile":
        compile_package(given.package, given.module)
    else:
        link_module(given.module, given.target, given.library)


if __name__ == "__main__":
    main()
