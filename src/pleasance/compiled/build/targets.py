"""The targets that libraries are built for, and how each is linked."""

from __future__ import annotations

from typing import NamedTuple


class Target(NamedTuple):
    """A kind of processor and system."""

    name: str
    """The name of its file without ending, see `library.find_names`."""

    suffix: str
    triple: str
    """LLVM's name of it."""

    cpu: str
    """The oldest processor that must run it."""

    zig: tuple[str, ...]
    """The linker and its arguments, up to the output."""

    features: str = ""

    @property
    def file_name(self) -> str:
        """Its library's file name."""
        return f"{self.name}.{self.suffix}"


def _elf(machine: str) -> tuple[str, ...]:
    """Link for Linux without any library: nothing is imported, so every C library will do."""
    options = ("-shared", "-s", "--build-id=none", "--hash-style=gnu", "-z", "defs")
    return ("ld.lld", "-m", machine, *options)


def _mach_o(machine: str) -> tuple[str, ...]:
    """Link for macOS, which wants its system library named; arm64 is signed ad hoc."""
    options = ("-shared", "-nostdlib", "-s", "-Wl,-install_name,@rpath/pleasance.dylib")
    return ("cc", "-target", f"{machine}-macos.11.0", *options)


_PE = ("lld-link", "/dll", "/noentry", "/noimplib", "/machine:x64", "/Brepro")
_STACK = ("--stack-first", "-z", "stack-size=65536")
_WASM = ("wasm-ld", "--no-entry", "--strip-all", "--gc-sections", *_STACK)
_WASM_FEATURES = "+simd128,+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
_LINUX, _MACOS = "unknown-linux-gnu", "apple-macosx11.0.0"

TARGETS = (
    Target("linux-x86_64", "so", f"x86_64-{_LINUX}", "x86-64", _elf("elf_x86_64")),
    Target("linux-x86_64-v3", "so", f"x86_64-{_LINUX}", "x86-64-v3", _elf("elf_x86_64")),
    Target("linux-aarch64", "so", f"aarch64-{_LINUX}", "generic", _elf("aarch64elf")),
    Target("macos-arm64", "dylib", f"arm64-{_MACOS}", "apple-m1", _mach_o("aarch64")),
    Target("macos-x86_64", "dylib", f"x86_64-{_MACOS}", "x86-64", _mach_o("x86_64")),
    Target("windows-x86_64", "dll", "x86_64-w64-windows-gnu", "x86-64", _PE),
    Target("browser", "wasm", "wasm32-unknown-unknown", "generic", _WASM, features=_WASM_FEATURES),
)
"""All targets. macOS is built like the others, and labeled untested until a release has run it."""
