#!/usr/bin/env bash
# Runs the conformance suite against real servers:
#   run.sh BUILD [SERVER ...]     SERVER: versitygw seaweedfs gcs azurite; default: all
# BUILD: a build folder with the target store_conformance. Servers are installed into
# $ICEFIELD_STORE_SERVERS (default ~/.cache/icefield-store-servers); what cannot be installed or
# started fails the run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
suite=$1/tests/stores/store_conformance
shift
[ $# -gt 0 ] || set -- versitygw seaweedfs gcs azurite
cache=${ICEFIELD_STORE_SERVERS:-$HOME/.cache/icefield-store-servers}
data=$(mktemp -d)
stop() {
  for pid in "$data"/*.pid; do kill "$(cat "$pid")" 2>/dev/null || true; done
  wait || true
  rm -rf "$data"
}
trap stop EXIT

"$here/install_servers.sh" "$cache"
"$here/start_servers.sh" "$cache" "$data" "$@"

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=testtest AWS_REGION=us-east-1
failed=0
conforms() {  # NAME URL LACKS [VARIABLE=VALUE...]
  local name=$1 url=$2 lacks=$3
  shift 3
  echo "== $name"
  env "$@" ICEFIELD_TEST_STORE_URL="$url" ICEFIELD_TEST_STORE_LACKS="$lacks" \
    "$suite" --gtest_brief=1 || failed=1
}

for server in "$@"; do
  case $server in
    versitygw)
      conforms versitygw s3://conformance/base key-beside-folder \
        AWS_ENDPOINT_URL=http://127.0.0.1:9300 ;;
    seaweedfs)
      conforms seaweedfs s3://conformance/base "byte-order atomic-parts" \
        AWS_ENDPOINT_URL=http://127.0.0.1:9320 ;;
    gcs)
      conforms gcs gs://conformance/base conditional-copy STORAGE_EMULATOR_HOST=http://127.0.0.1:4443 ;;
    azurite)
      conforms azurite az://conformance/base "" AZURE_STORAGE_ACCOUNT_NAME=devstoreaccount1 \
        AZURE_STORAGE_ACCOUNT_KEY="$(printf 'local test key' | base64)" \
        AZURE_STORAGE_ENDPOINT=http://127.0.0.1:10000/devstoreaccount1 ;;
  esac
done
# with the fault proxy of the shared conformance tools, where they are at hand
if [ -n "${ICEFIELD_SHARED:-}" ] && [ -e "$data/versitygw.pid" ]; then
  "${PYTHON:-python3}" "$ICEFIELD_SHARED/conformance/fault_proxy.py" --listen 9700 --admin 9701 \
    --upstream 127.0.0.1:9300 >"$data/proxy.log" 2>&1 &
  echo $! >"$data/proxy.pid"
  sleep 1
  echo "== versitygw behind faults"
  ICEFIELD_TEST_PROXY_ADMIN=http://127.0.0.1:9701 AWS_ENDPOINT_URL=http://127.0.0.1:9700 \
    ICEFIELD_TEST_STORE_URL=s3://conformance/faults \
    "$(dirname "$suite")/store_faults" --gtest_brief=1 || failed=1
fi

# What the committed bytes are worth: a judge of the shared conformance tools, and the official library,
# which the Python must have.
mixed() {
  local committer python=${PYTHON:-python3} name=mixed-$$
  committer=$(dirname "$suite")/store_committer
  if [ ! -x "$committer" ] || ! "$python" -c 'import icechunk, zarr' 2>/dev/null; then
    echo "left out: needs the target store_committer, and PYTHON with icechunk"
    return 0
  fi
  "$python" "$here/mixed_committers.py" --committer "$committer" \
    --endpoint http://127.0.0.1:9300 --bucket conformance --prefix "$name" || return 1
  if [ -z "${ICEFIELD_SHARED:-}" ]; then
    echo "the bytes are not judged: ICEFIELD_SHARED is not set"
    return 0
  fi
  "$python" "$ICEFIELD_SHARED/conformance/icechunk_check.py" --strict --quiet \
    "$data/versitygw/conformance/$name"
}
if [ -e "$data/versitygw.pid" ]; then
  echo "== official writers and ours on one branch"
  mixed || failed=1
  program=$(dirname "$suite")/../../icefield
  if [ -x "$program" ]; then
    echo "== icefield store selftest"
    AWS_ENDPOINT_URL=http://127.0.0.1:9300 "$program" store selftest s3://conformance/selftest ||
      failed=1
  fi
fi
exit $failed
