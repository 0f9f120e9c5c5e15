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

for theme in light dark; do
  picture "wide-$theme" --size 1440x900 --theme "$theme"
  picture "middle-$theme" --size 1024x768 --theme "$theme"
  picture "phone-$theme" --size 390x844 --theme "$theme"
done
# Every number as arithmetic; scenarios and models beside each other.
plain=$query
beside='&pin=model=llama-3-8b%26pool=53GB%26kv=fp8&models=llama-2-7b,deepseek-v3,gemma-3-27b'
for view in byhand compare services plan; do
  query="$plain&view=$view$beside"
  picture "$view-light" --size 1440x900 --theme light
  picture "$view-middle-dark" --size 1024x768 --theme dark
  picture "$view-phone-dark" --size 390x844 --theme dark
done
query=$plain
picture wide-2x --size 1440x900 --scale 2 --theme light

# What was read of a model file.
config=tests/fixtures/gated_delta.json
picture model-light --size 1440x900 --theme light "$config"
picture model-phone-dark --size 390x844 --theme dark "$config"

# Idle means zero frames.
idle=$(window --frames 3 | tail -n 1)
if [[ $idle == 0 ]]; then ok 'idle: 0 frames in 3 s'; else fail "idle: $idle frames in 3 s"; fi

echo "$passed passed, $failed failed"
((failed == 0))
