#!/usr/bin/env bash
# Prints the path of a Python that has tests/interop/requirements.txt; makes it when missing.
# The virtual environment lies in ~/.cache/icefield, one for each content of the list.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The first Python >= 3.12 of the search path or of pyenv. Shims that lead nowhere fail the probe.
find_python() {
  local candidate
  for candidate in python3.12 python3.13 python3.14 python3 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python3; do
    if command -v "$candidate" >/dev/null &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "environment.sh: the interop tests need Python 3.12 or later, found none" >&2
  exit 1
}

python=$(find_python)
key=$({ "$python" -V; cat "$here/requirements.txt"; } | sha256sum | cut -c 1-16)
venv="${XDG_CACHE_HOME:-$HOME/.cache}/icefield/interop-$key"
if [ ! -f "$venv/complete" ]; then
  rm -rf "$venv"
  mkdir -p "$(dirname "$venv")"
  "$python" -m venv "$venv" >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r "$here/requirements.txt" >&2
  touch "$venv/complete"
fi
echo "$venv/bin/python"
