# Find a Python that is new enough. Read by setup.sh and tools.sh.

fail() {
    echo "${0##*/}: $1" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

# PYTHON decides where it is set; else the arguments come first.
find_python() {
    for python in ${PYTHON:-"$@" python3 python3.14 python3.13 python3.12 python3.11 python}; do
        if is_new_enough "$python"; then
            echo "$python"
            return
        fi
    done
    fail "no Python 3.11 or newer found${PYTHON:+ at $PYTHON}; install one, or name it: PYTHON=/path/to/python3"
}
