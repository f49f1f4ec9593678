#!/bin/sh
# Install Debian's Chromium for the tests in a browser, where there is none and nobody need be asked.
# Called by make test; without a browser those tests are skipped, and say so.
for name in chromium chromium-browser; do
    command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the tests in a browser ..."
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
command -v chromium >/dev/null || echo "There is no Chromium: the tests in a browser are skipped."
