#!/usr/bin/env bash
# Lighthouse on the built site: run.sh (./dev test all).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if [[ ! -d node_modules ]]; then npm ci --no-audit --no-fund --ignore-scripts; fi
exec node run.mjs "$@"
