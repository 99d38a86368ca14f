#!/usr/bin/env bash
# This library and the official one on each other's repositories.
#
#     tests/interop/icechunk.sh BUILD_FOLDER [SECONDS]
#
# With ICEFIELD_SHARED set, the conformance checker judges what is written, every kind of official
# repository is read and compared, and `store verify` is measured by damaged ones. SECONDS: for how
# long the two take turns (60). ICEFIELD_SEED: where random steps and damages begin (1).
# ICEFIELD_FLIPS: random changes of bytes beside the named damages (none here: a changed byte inside
# a zstd frame is told by some versions of its library and not by others).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
seconds=${2:-60}
seed=${ICEFIELD_SEED:-1}
python=$("$here/environment.sh")
driver=$build/tests/interop/icechunk_driver
export ICECHUNK_LOG=off
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== states"
"$python" "$here/icechunk_states.py" "$driver"
echo "== commands"
"$python" "$here/icechunk_commands.py" "$build/icefield"
echo "== turns"
end=$((SECONDS + seconds))
for ((round = 0; SECONDS < end; round++)); do
  "$python" "$here/icechunk_turns.py" "$driver" --rounds 1 --seed $((seed + round))
done
if [ -z "${ICEFIELD_SHARED:-}" ]; then
  echo "== fixtures and damage: left out, ICEFIELD_SHARED is not set"
  exit 0
fi
"$python" "$ICEFIELD_SHARED/conformance/icechunk_fixtures.py" "$work/fixtures" >/dev/null
echo "== dump"
"$python" "$here/icechunk_dump.py" "$build/icefield" "$work/fixtures"
echo "== odd things"
"$python" "$here/icechunk_odd.py" "$build/icefield"
echo "== replay"
"$python" "$here/icechunk_replay.py" "$driver" "$work/fixtures"
echo "== damage"
"$python" "$here/icechunk_damage.py" "$build/icefield" --fixtures "$work/fixtures" \
  --flips "${ICEFIELD_FLIPS:-0}" --seed "$seed"
