#!/usr/bin/env bash
# The worked examples, built with the real tools and opened in a browser: run.sh (./dev test all).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
packages=(python3-sphinx mkdocs jupyter-notebook jupyter-nbconvert python3-ipykernel)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  as_root=()
  if ((EUID != 0)); then as_root=(sudo); fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install \
    --no-install-recommends "${missing[@]}" < /dev/null
fi
for folder in . ../browser; do
  if [[ ! -d $folder/node_modules ]]; then
    (cd $folder && npm ci --no-audit --no-fund --ignore-scripts)
  fi
done
exec node run.mjs "$@"
