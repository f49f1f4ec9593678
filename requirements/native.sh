#!/bin/sh
# Put a pleasance into .venv whose busiest modules are compiled by mypyc. Called by make native, from the root of the repository.
# Built from a copy, so that nothing compiled ever lies beside the sources and hides newer ones.
set -eu

fail() {
    echo "make native: $1" >&2
    exit 1
}

command -v "${CC:-cc}" >/dev/null || fail "no C compiler found (Debian: apt install gcc)"
.venv/bin/python -c 'import sysconfig, pathlib as p, sys; sys.exit(not p.Path(sysconfig.get_path("include"), "Python.h").is_file())' \
    || fail "the headers of Python are missing (Debian: apt install python3-dev)"

echo "Compiling: this takes about a minute ..."
copy=build/native
rm -rf "$copy"
mkdir -p "$copy"
cp -R pyproject.toml README.md LICENSE hatch_build.py src "$copy"
# Whatever make sets up next links to the sources again.
echo native >.venv/key
HATCH_BUILD_HOOK_ENABLE_MYPYC=1 .venv/bin/python -m pip install --quiet --no-deps --no-build-isolation \
    --force-reinstall "./$copy" >"$copy/log" 2>&1 || { tail -n 20 "$copy/log" >&2; fail "compiling failed; the lines above say why"; }
echo "Ready: .venv/bin/pleasance is compiled; make setup goes back to the sources."
