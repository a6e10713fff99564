#!/bin/sh
# Builds harness.wasm.
set -eu
cd "$(dirname "$0")"
python3 -m venv .venv
.venv/bin/pip install --quiet --requirement requirements.txt
VIRTUAL_ENV="$PWD/.venv" .venv/bin/componentize-py --wit-path wit --world harness componentize --stub-wasi --python-path src app --output harness.wasm
