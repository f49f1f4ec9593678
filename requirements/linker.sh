#!/bin/sh
# Install the linker that makes libraries of compiled code (requirements/kernels.lock), about 100 MB: where make test
# builds them again to compare the bytes, which is on Linux x86-64 with Python 3.11, or everywhere with "all".
# Called by make, from the root of the repository. Does nothing when it is there.
set -eu

python=.venv/bin/python
version=$(sed -n 's/^ziglang==\([^ ]*\).*/\1/p' requirements/kernels.lock)
is_builder() {
    [ "$(uname -sm)" = "Linux x86_64" ] && $python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'
}

if [ "${1:-}" != all ] && ! is_builder; then
    echo "No linker of compiled code for this machine: libraries are compared by the hash of their sources only," \
        "and the tests that build one are skipped."
    exit 0
fi
if [ "$($python -c 'from importlib.metadata import version as v; print(v("ziglang"))' 2>/dev/null)" = "$version" ]; then
    exit 0
fi
echo "Installing the linker of compiled code ..."
$python -m pip install --quiet --no-compile --require-hashes --requirement requirements/kernels.lock || {
    echo "linker.sh: installing failed; the lines above say why" >&2
    exit 1
}
