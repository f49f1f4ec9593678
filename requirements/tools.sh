#!/bin/sh
# Make build/SET-venv with what requirements/SET.lock pins; SET is the first argument, the second says what for. So tools
# that few people need stay out of .venv. Called by make, from the root of the repository. Does nothing when it is there.
set -eu

. requirements/python.sh

venv=build/$1-venv
key="$(cat "requirements/$1.lock" requirements/tools.sh | cksum) $PWD"
if [ "$(cat "$venv/key" 2>/dev/null)" = "$key" ] && "$venv/bin/python" -c "" 2>/dev/null; then
    exit 0
fi
python=$(find_python .venv/bin/python)
echo "Installing what $2 ..."
"$python" -m venv --clear "$venv"
"$venv/bin/python" -m pip install --quiet --no-compile --require-hashes --requirement "requirements/$1.lock" \
    || fail "installing failed; the lines above say why"
echo "$key" >"$venv/key"
