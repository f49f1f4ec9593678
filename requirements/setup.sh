#!/bin/sh
# Make .venv with everything that requirements/dev.lock pins, and the pleasance command in it.
# Called by make setup, from the root of the repository. Does nothing when nothing has changed.
set -eu

fail() {
    echo "make setup: $1" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        if is_new_enough "$python"; then
            echo "$python"
            return
        fi
    done
    fail "no Python 3.11 or newer found${PYTHON:+ at $PYTHON}; install one, or name it: make setup PYTHON=/path/to/python3"
}

# A moved folder breaks the paths inside .venv, so where we are belongs to the key.
key=$(cat requirements/dev.lock pyproject.toml requirements/setup.sh | cksum)" $PWD"
if [ "$(cat .venv/key 2>/dev/null)" = "$key" ] && is_new_enough .venv/bin/python; then
    exit 0
fi

python=$(find_python)
if ! { is_new_enough .venv/bin/python && .venv/bin/python -m pip --version >/dev/null 2>&1 \
    && [ "$(cat .venv/home 2>/dev/null)" = "$PWD" ]; }; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null \
        || fail "$python cannot make virtual environments; install its venv module (Debian: apt install python3-venv)"
    echo "Making .venv with $("$python" --version) ..."
    "$python" -m venv --clear .venv || fail "$python could not make .venv"
    echo "$PWD" >.venv/home
fi

echo "Installing what requirements/dev.lock pins ..."
.venv/bin/python -m pip install --quiet --no-compile --require-hashes --requirement requirements/dev.lock \
    || fail "installing failed; the lines above say why"
.venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable . \
    || fail "installing pleasance itself failed; the lines above say why"
# On all cores at once, which pip does not; what cannot be compiled is nothing that we use.
.venv/bin/python -m compileall -qq -j 0 .venv/lib || true
echo "$key" >.venv/key
echo "Ready: .venv/bin/pleasance"
