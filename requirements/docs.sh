#!/bin/sh
# Install what builds the docs site (requirements/docs.lock), 55 MB in 20,000 files, into build/docs-venv: apart from .venv, so that
# whoever builds no docs installs none of it. Called by make docs and make test, from the root of the repository, when .venv
# is there. Does nothing when it is there already.
set -eu

venv=build/docs-venv
key="$(cat requirements/docs.lock requirements/docs.sh | cksum) $PWD"
if [ "$(cat $venv/key 2>/dev/null)" = "$key" ] && $venv/bin/python -c "" 2>/dev/null; then
    exit 0
fi
echo "Installing what builds the docs ..."
.venv/bin/python -m venv --clear $venv
$venv/bin/python -m pip install --quiet --no-compile --require-hashes --requirement requirements/docs.lock || {
    echo "docs.sh: installing failed; the lines above say why" >&2
    exit 1
}
echo "$key" >$venv/key
