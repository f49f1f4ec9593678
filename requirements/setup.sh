#!/bin/sh
# Make .venv with what requirements/SET.lock pins, and the pleasance command in it. SET is the first argument:
# "play" for what make play needs, "dev" for that and all tools. Called by make, from the root of the repository.
# Does nothing when nothing has changed.
set -eu

set=${1:-dev}

. requirements/python.sh

# A moved folder breaks the paths inside .venv, so where we are belongs to the key.
make_key() {
    echo "$(cat "requirements/$1.lock" pyproject.toml requirements/setup.sh | cksum) $PWD"
}

is_done() {
    [ "$(cat ".venv/$1.key" 2>/dev/null)" = "$(make_key "$1")" ]
}

# The tools come with everything that playing needs.
if { is_done "$set" || is_done dev; } && is_new_enough .venv/bin/python; then
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

echo "Installing what requirements/$set.lock pins ..."
rm -f .venv/*.key
.venv/bin/python -m pip install --quiet --no-compile --require-hashes --requirement "requirements/$set.lock" \
    || fail "installing failed; the lines above say why"
.venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable . \
    || fail "installing pleasance itself failed; the lines above say why"
# On all cores at once, which pip does not; what cannot be compiled is nothing that we use.
.venv/bin/python -m compileall -qq -j 0 .venv/lib || true
make_key "$set" >".venv/$set.key"
echo "Ready: .venv/bin/pleasance"
