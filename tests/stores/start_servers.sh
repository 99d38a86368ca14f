#!/usr/bin/env bash
# Starts the object-store servers of install_servers.sh on loopback and waits until they answer:
#   start_servers.sh CACHE DATA [versitygw|seaweedfs|gcs|azurite ...]     default: all
# CACHE: where install_servers.sh put them. DATA: an empty folder; keeps data, logs and pid files.
# Ports: versitygw 9300; seaweedfs 9320 to 9323 and those plus 10000; gcs 4443; azurite 10000.
# Stop them with: kill $(cat DATA/*.pid)
set -euo pipefail
cache=$(cd "$1" && pwd)
data=$(mkdir -p "$2" && cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- versitygw seaweedfs gcs azurite

start() {  # NAME COMMAND...
  local name=$1
  shift
  "$@" >"$data/$name.log" 2>&1 &
  echo $! >"$data/$name.pid"
}

answers() {  # NAME PORT [PATH]: any HTTP status will do
  for _ in $(seq 300); do
    curl -s -o /dev/null --max-time 2 "http://127.0.0.1:$2${3:-/}" && return 0
    kill -0 "$(cat "$data/$1.pid")" 2>/dev/null || break
    sleep 0.1
  done
  echo "$1 does not answer; its log ends:" >&2
  tail -n 20 "$data/$1.log" >&2
  return 1
}

start_versitygw() {
  mkdir -p "$data/versitygw"
  start versitygw "$cache/bin/versitygw" --port 127.0.0.1:9300 --access test --secret testtest \
    --quiet --keep-alive posix "$data/versitygw"
  answers versitygw 9300
}

start_seaweedfs() {
  mkdir -p "$data/seaweedfs"
  cat >"$data/seaweedfs.json" <<J
{"identities":[
 {"name":"rw","credentials":[{"accessKey":"test","secretKey":"testtest"}],
  "actions":["Admin","Read","List","Write","Tagging"]}]}
J
  start seaweedfs "$cache/python/bin/weed" -logtostderr=true server -dir="$data/seaweedfs" \
    -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port=9321 -master.telemetry=false \
    -master.volumeSizeLimitMB=1024 -master.volumePreallocate=false -volume.max=50 \
    -volume.port=9323 -filer -filer.port=9322 -s3 -s3.port=9320 -s3.config="$data/seaweedfs.json" \
    -s3.iam=false -s3.port.iceberg=0 -s3.port.lance=0
  answers seaweedfs 9320
}

start_gcs() {
  start gcs "$cache/bin/fake-gcs-server" -scheme http -host 127.0.0.1 -port 4443 -backend memory \
    -public-host 127.0.0.1:4443 -external-url http://127.0.0.1:4443
  answers gcs 4443 /storage/v1/b
}

start_azurite() {
  AZURITE_ACCOUNTS="devstoreaccount1:$(printf 'local test key' | base64)" \
    start azurite "$cache/node_modules/.bin/azurite-blob" --silent --inMemoryPersistence \
    --blobHost 127.0.0.1 --blobPort 10000 --skipApiVersionCheck --disableTelemetry
  answers azurite 10000
}

for server in "$@"; do "start_$server"; done
