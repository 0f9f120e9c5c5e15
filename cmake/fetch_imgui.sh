#!/usr/bin/env bash
# Fetches the Dear ImGui sources into build/deps/imgui from Debian's source archive.
#
# Debian 12's own ImGui is too old, so the source package of the unstable suite is taken, without
# touching the machine's apt: a private source list (its mirror is the one the machine already
# uses), private lists and cache, all of it under build/deps. The archive is checked against the
# SHA-256 below before it is unpacked. When the pinned version has left the archive, the newest of
# the same series is taken, checked against the signed index only, and said so.
#
#   cmake/fetch_imgui.sh [DEPS_FOLDER]          default: build/deps
#
# Does nothing when the folder already holds the pinned (or a substituted) version.
set -euo pipefail

readonly version='1.92.2b+ds-1'
readonly series='1.92.'
readonly sha256='e7bd201d56b5ee90d24d5dac85e5c12f98bdb95410252a62d27b7f89e4566d48'

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=${1:-$root/build/deps}
target=$deps/imgui
stamp=$target/.kvseats-version

if [[ -f $stamp && $(head -n1 "$stamp") == "$version" ]]; then exit 0; fi

# The first plain Debian archive the machine is configured with, and the key it trusts for it.
# Security and vendor archives carry other suites, so an archive counts only when it is listed
# with a Debian suite name and no "-security".
mirror_of_this_machine() {
  /usr/bin/python3 - <<'PY'
import glob, os, re
found = []
def keep(uri, suites, signed):
    if any(re.fullmatch(r'(bookworm|trixie|forky|sid|unstable|testing|stable|oldstable)', s)
           for s in suites):
        found.append((uri.rstrip('/'), signed))
for path in sorted(glob.glob('/etc/apt/sources.list.d/*.sources')):
    for block in re.split(r'\n\s*\n', open(path).read()):
        lines = [l for l in block.splitlines() if not l.lstrip().startswith('#')]
        fields, key = {}, None
        for line in lines:
            if line[:1].isspace() and key:
                fields[key] += ' ' + line.strip()
            elif ':' in line:
                key, value = line.split(':', 1)
                key = key.strip().lower()
                fields[key] = value.strip()
        if fields.get('enabled', 'yes').lower() == 'no':
            continue
        signed = fields.get('signed-by', '')
        for uri in fields.get('uris', '').split():
            keep(uri, fields.get('suites', '').split(), signed if signed.startswith('/') else '')
for path in ['/etc/apt/sources.list'] + sorted(glob.glob('/etc/apt/sources.list.d/*.list')):
    if not os.path.exists(path):
        continue
    for line in open(path):
        match = re.match(r'\s*deb(?:-src)?\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)', line)
        if match:
            signed = re.search(r'signed-by=(\S+)', match.group(1) or '')
            keep(match.group(2), [match.group(3)], signed.group(1) if signed else '')
if found:
    print(found[0][0], found[0][1])
PY
}

read -r mirror signed_by < <(mirror_of_this_machine) || true
if [[ -z ${mirror:-} ]]; then
  echo "fetch_imgui: no Debian archive among this machine's apt sources." >&2
  echo "fetch_imgui: put ImGui ${series}x into a folder and pass -DKVSEATS_IMGUI_DIR=<folder>." >&2
  exit 1
fi
if [[ -z ${signed_by:-} && -f /usr/share/keyrings/debian-archive-keyring.gpg ]]; then
  signed_by=/usr/share/keyrings/debian-archive-keyring.gpg
fi

work=$deps/apt
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/download"
echo "deb-src${signed_by:+ [signed-by=$signed_by]} $mirror unstable main" > "$work/sources.list"
apt_options=(
  -oDir::Etc::SourceList="$work/sources.list" -oDir::Etc::SourceParts=/dev/null
  -oDir::State::Lists="$work/lists" -oDir::Cache="$work/cache"
  -oAPT::Sandbox::User=root -oAPT::Get::List-Cleanup=0 -oAcquire::Languages=none
  -oAcquire::IndexTargets::deb-src::Contents-dsc::DefaultEnabled=false
  -oAcquire::Retries=3
)
# Hooks of the machine (desktop notifications, cache cleaning) have no business with these lists.
hooks="$work/no-hooks.conf"
cat > "$hooks" <<'CONF'
#clear APT::Update::Post-Invoke-Success;
#clear APT::Update::Post-Invoke;
#clear Acquire::IndexTargets::deb::DEP-11;
CONF

echo "fetch_imgui: reading the source index of the unstable suite"
apt-get -q -c "$hooks" "${apt_options[@]}" update > "$work/update.log" 2>&1 || {
  cat "$work/update.log" >&2; exit 1; }

take=$version
available=$(apt-cache -c "$hooks" "${apt_options[@]}" showsrc imgui 2>/dev/null |
  sed -n 's/^Version: //p' | sort -Vu)
if ! grep -Fxq "$version" <<< "$available"; then
  take=$(grep -E "^${series//./\\.}" <<< "$available" | tail -n1 || true)
  if [[ -z $take ]]; then
    echo "fetch_imgui: neither $version nor another ${series}x is in the unstable suite (there: ${available//$'\n'/, })." >&2
    exit 1
  fi
  echo "fetch_imgui: NOTE $version has left the archive; taking $take instead (not the tested one)." >&2
fi

( cd "$work/download"
  apt-get -q -c "$hooks" "${apt_options[@]}" source --download-only "imgui=$take" > "$work/source.log" 2>&1 ) || {
  cat "$work/source.log" >&2; exit 1; }

upstream=${take%-*}
archive=$(ls "$work/download/imgui_$upstream".orig.tar.* | head -n1)
if [[ $take == "$version" ]]; then
  echo "$sha256  $archive" | sha256sum --check --quiet - || {
    echo "fetch_imgui: checksum mismatch, $archive is not what was tested." >&2; exit 1; }
fi

# Unpacked beside the target and moved, so that an interrupted run leaves no half folder.
rm -rf "$deps/imgui.new" "$target"
dpkg-source --no-check -x "$work/download/imgui_$take.dsc" "$deps/imgui.new" > "$work/unpack.log" 2>&1 || {
  cat "$work/unpack.log" >&2; exit 1; }
printf '%s\n%s\n' "$version" "$take" > "$deps/imgui.new/.kvseats-version"
mv "$deps/imgui.new" "$target"
echo "fetch_imgui: Dear ImGui $take is in ${target#"$root"/}"
