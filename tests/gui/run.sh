#!/usr/bin/env bash
# The window under a virtual display: pictures at three sizes, light and dark, that are not blank,
# and no frame while idle. Usage: tests/gui/run.sh [kvseats-gui] [folder for the pictures]
set -euo pipefail
if [[ -z ${DISPLAY:-} ]]; then exec xvfb-run -a -s '-screen 0 1920x1200x24' bash "$0" "$@"; fi
gui=${1:-build/native/kvseats-gui}
out=${2:-build/test/gui}
mkdir -p "$out"

query='model=llama-3-8b&gpu=h100-sxm&pool=53GB&prompt=6144&output=2048'
query+='&service=chat:1000%2B500x100&service=documents:12000%2B1000x100'

passed=0
failed=0
ok() { passed=$((passed + 1)) && echo "ok $*"; }
fail() { failed=$((failed + 1)) && echo "FAIL $*"; }

# window ARGUMENTS...: the program with software GL.
window() { LIBGL_ALWAYS_SOFTWARE=1 timeout 60 "$gui" --query "$query" "$@"; }

# picture NAME ARGUMENTS...: many colours, or the picture is blank.
picture() {
  local name=$1 colours=0
  shift
  if window "$@" --screenshot "$out/$name.png"; then
    colours=$(identify -format '%k' "$out/$name.png")
  fi
  if ((colours > 200)); then ok "$name ($colours colours)"; else fail "$name ($colours colours)"; fi
}

# Every view at three sizes, light and dark, with a pin and models to compare.
plain=$query
beside='&pin=model=llama-3-8b%26pool=53GB%26kv=fp8&models=llama-2-7b,deepseek-v3,gemma-3-27b'
for view in tradeoff memory levers allocation byhand compare services plan; do
  query="$plain&view=$view"
  if [[ $view != tradeoff ]]; then query+=$beside; fi
  for theme in light dark; do
    picture "$view-wide-$theme" --size 1440x900 --theme "$theme"
    picture "$view-middle-$theme" --size 1024x768 --theme "$theme"
    picture "$view-phone-$theme" --size 390x844 --theme "$theme"
  done
done
query=$plain
picture wide-2x --size 1440x900 --scale 2 --theme light

# What was read of a model file.
config=tests/fixtures/gated_delta.json
picture model-light --size 1440x900 --theme light "$config"
picture model-phone-dark --size 390x844 --theme dark "$config"

# What can be missing. The window says so in words, and the command line needs none of it.
# refused NAME WORDS COMMAND...: ends with an error that holds the words.
refused() {
  local name=$1 words=$2 said
  shift 2
  if said=$("$@" 2>&1); then fail "$name: did not fail"; return; fi
  if grep -qi "$words" <<< "$said"; then ok "$name"; else fail "$name: $said"; fi
}
refused 'no display' 'no display to open a window' \
  env -u DISPLAY -u WAYLAND_DISPLAY timeout 30 "$gui"
refused 'no OpenGL 3.3' 'no OpenGL 3.3' \
  env LIBGL_ALWAYS_SOFTWARE=1 MESA_GL_VERSION_OVERRIDE=2.1 timeout 30 "$gui" --screenshot "$out/x.png"
if env -u DISPLAY -u HOME "${gui%-gui}" eval pool=53GB > /dev/null; then ok 'command line without a display'
else fail 'command line without a display'; fi

# for_a_moment HOME ARGUMENTS...: opens, is asked to close, and keeps what it keeps.
for_a_moment() {
  local home=$1
  shift
  env -u XDG_CONFIG_HOME HOME="$home" LIBGL_ALWAYS_SOFTWARE=1 \
    timeout --preserve-status -s TERM 4 "$gui" "$@" 2>&1
}
home=$(mktemp -d)
kept=$home/.config/kvseats/window
if for_a_moment "$home" --size 900x700 tp=2 && grep -q '^query tp=2' "$kept"; then
  ok 'kept in a configuration folder that was missing'
else fail "kept: $(cat "$kept" 2>&1)"; fi
if for_a_moment "$home" && grep -q '^query tp=2' "$kept" && grep -q '^size 900x700' "$kept"; then
  ok 'the last size and scenario'
else fail "the last size and scenario: $(cat "$kept" 2>&1)"; fi
printf '\0\377garbage' > "$kept"
if [[ $(for_a_moment "$home") == *damaged* && -f $kept.bad ]] && grep -q '^kvseats 1' "$kept"; then
  ok 'a damaged file is set aside'
else fail 'a damaged file is set aside'; fi
rm -rf "$home/.config" && touch "$home/.config"  # also for root nobody can write below it
if for_a_moment "$home" tp=2; then ok 'a home where nothing can be written'
else fail 'a home where nothing can be written'; fi
rm -rf "$home"

# Idle means zero frames.
idle=$(window --frames 3 | tail -n 1)
if [[ $idle == 0 ]]; then ok 'idle: 0 frames in 3 s'; else fail "idle: $idle frames in 3 s"; fi

echo "$passed passed, $failed failed"
((failed == 0))
