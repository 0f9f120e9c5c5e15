# The steps of `./dev test`, sourced by it. A step that runs a suite prints its own last line
# "N passed, N failed", which is counted; any other step counts as one.

logs=build/test-logs

# suite NAME COMMAND...: a step whose output is kept and whose own count is added.
suite() {
  local name=$1 start=$EPOCHREALTIME status=0 count seconds
  shift
  mkdir -p "$logs"
  local log=$logs/${name// /-}.log
  rm -f "$log.status"  # of a run that was stopped
  say "$name"
  # The only "N passed, N failed" alone on a line is the last one of the whole run.
  { "$@" < /dev/null 2>&1 || echo "exit status $?" > "$log.status"; } | tee "$log" |
    sed -u -E 's/^([0-9]+) passed, ([0-9]+) failed/  \1 passed and \2 failed/'
  if [[ -f $log.status ]]; then
    status=1
    rm -f "$log.status"
  fi
  count=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 || true)
  seconds=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }")
  if [[ -n $count ]]; then
    read -r good _ bad _ <<< "$count"
  elif ((status == 0)); then
    good=1 bad=0
  else
    good=0 bad=1
  fi
  if ((status != 0 && bad == 0)); then bad=1; fi
  passed=$((passed + good))
  failed=$((failed + bad))
  if ((status == 0 && bad == 0)); then
    say "$name: $good ok in $seconds s"
  else
    failures+=("$name")
    say "$name: FAILED in $seconds s (log: $log)"
  fi
}

# hook NAME FOLDER [PREFIX...]: runs tests/FOLDER/run.{sh,py,mjs} when it is there.
hook() {
  local name=$1 folder=tests/$2
  shift 2
  if [[ -f $folder/run.sh ]]; then suite "$name" "$@" bash "$folder/run.sh"
  elif [[ -f $folder/run.py ]]; then suite "$name" "$@" "$python" "$folder/run.py"
  elif [[ -f $folder/run.mjs ]]; then suite "$name" "$@" node "$folder/run.mjs"
  fi
}

units() { "$python" cmake/run_units.py --jobs "$jobs" "$@"; }

# With the lock file's packages, and again only when the lock file changed.
npm_packages() {
  local folder=$1
  [[ -f $folder/package-lock.json ]] || return 0
  if [[ $folder/node_modules/.package-lock.json -nt $folder/package-lock.json ]]; then return 0; fi
  (cd "$folder" && npm ci --no-audit --no-fund --ignore-scripts)
}

under_xvfb() { xvfb-run -a -s '-screen 0 1920x1200x24' "$@"; }

test_quick() {
  mkdir -p build
  step 'fetch ImGui' fetch
  suite 'architecture' "$python" tests/arch/arch_test.py
  step 'build native' build native
  suite 'units native' units build/native
  hook 'command line' cli
  hook 'tools' tools
}

test_full() {
  need "${test_packages[@]}" "${format_packages[@]}"
  command -v npm > /dev/null || need npm
  step 'format' cmd_format --check
  step 'build wasm' build wasm
  suite 'units wasm' units build/wasm
  step 'site' site
  hook 'native and wasm agree' parity
  suite 'scenarios by chance' node tests/same/run.mjs --count 4000
  suite 'sizes' "$python" tests/size_check.py
  hook 'licences' licences
  step 'npm packages' npm_packages tests/browser
  hook 'browsers' browser under_xvfb
  hook 'window' gui under_xvfb
}

test_all() {
  need "${clang_packages[@]}" "${lint_packages[@]}" "${valgrind_packages[@]}"
  # clang-tidy is not clean yet over all files: ./dev lint.
  suite 'cppcheck' "$python" tests/lint/run.py --only cppcheck
  hook 'valgrind' valgrind
  step 'build clang' build clang
  suite 'units clang' units build/clang
  step 'build unoptimised' build_same
  suite 'the same everywhere' under_xvfb node tests/same/run.mjs --browsers "${same_programs[@]}"
  step 'build with sanitizers' build asan
  suite 'units with sanitizers' units build/asan
  suite 'broken on purpose' under_xvfb node tests/browser/sabotage.mjs
  hook 'course tools' course
  hook 'lighthouse' lighthouse
  suite 'a thousand elements' node tests/browser/run.mjs --only 'flat memory' --cycles 1000 \
    --skip node,nogl,firefox,headless
  hook 'screenshots' screenshots under_xvfb
}
