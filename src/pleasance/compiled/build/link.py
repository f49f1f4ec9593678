"""Optimizes a module as a whole for a target and links it to a library."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from pleasance.compiled.build.targets import Target


class BuildError(RuntimeError):
    """A library cannot be built, or would need something from outside."""


def emit_object(text: str, names: Sequence[str], target: Target) -> bytes:
    """Optimize a module for a target, with the functions of *names* only, to an object file."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    is_wasm = target.triple.startswith("wasm")
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        opt=3, cpu=target.cpu, features=target.features, reloc="static" if is_wasm else "pic"
    )
    if is_wasm:  # its back end fails on the mark
        text = text.replace(" noimplicitfloat ", " ")
    if not target.triple.endswith("windows-gnu"):
        text = text.replace(" dllexport ", " ")
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    for function in module.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    manager: Any = builder.getModulePassManager()
    manager.add_global_dead_code_eliminate_pass()
    manager.run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def link(code: bytes, names: Sequence[str], target: Target, output: Path) -> None:
    """Link an object file to a library."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernels.o"
        source.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", *target.zig]
        if target.suffix == "wasm":
            command += [f"--export={name}" for name in (*names, "pleasance_sources", "__heap_base")]
        command += [f"/out:{output}"] if target.suffix == "dll" else ["-o", str(output)]
        done = subprocess.run(  # noqa: S603  (our own linker and files)
            [*command, str(source)], capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise BuildError(f"linking {target.name} failed:\n{done.stderr}")
