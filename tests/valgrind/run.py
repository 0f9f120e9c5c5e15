"""The command line under valgrind: run.py [PROGRAM]

No invalid read or write, no use of what was never written, nothing left behind. What a program
answers is tested elsewhere; here it only has to answer. A program that leaks and one that reads what
it gave back are the negative controls. Last line: "N passed, N failed".
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOUND = 99  # what valgrind ends with when it found something
VALGRIND = ['valgrind', '--quiet', f'--error-exitcode={FOUND}', '--leak-check=full',
            '--show-leak-kinds=all', '--errors-for-leak-kinds=all', '--track-origins=yes']

# name, words, exit status, standard input
COMMANDS = [
    ('an answer', ['eval', 'model=llama-3.1-8b', 'gpu=h100-sxm', 'engine=vllm'], 0, ''),
    ('as JSON, with services', ['eval', '--json', 'model=gemma-3-27b', 'engine=sglang',
                                'service=chat:1000+500x100', 'service=long:12000+1000x10'], 0, ''),
    ('many from standard input', ['eval', '-'], 0,
     'model=deepseek-v3&gpu=h200&tp=8\nmodel=qwen3-next-80b-a3b&engine=trtllm\nkv=q8_0&engine=llamacpp\n'),
    ('inverses', ['solve', 'for=context', 'model=llama-3.3-70b', 'gpu=h100-sxm', 'users=8'], 0, ''),
    ('a sweep', ['sweep', 'context=1k..128k*2', 'users=1,8,64', 'model=llama-3.1-8b'], 0, ''),
    ('a list', ['list', 'models'], 0, ''),
    ('a log', ['check', 'tests/data/check_vllm.log', 'model=llama-3.1-8b'], None, ''),
    ('a config', ['import', 'tests/fixtures/nested_text.json'], 0, ''),
    ('a file that is none', ['import', 'tests/data/check_vllm.log'], None, ''),
    ('a number that is none', ['eval', 'pool=%zz', 'tp=99999999999999999999'], None, ''),
    ('no model of that name', ['eval', 'model=no-such-model'], None, ''),
]

CONTROLS = {
    'a leak': '#include <cstdlib>\nint main() { return std::malloc(7) == nullptr; }\n',
    'a read of what was given back':
        '#include <cstdlib>\nint main() { volatile int* p = static_cast<int*>(std::malloc(4)); *p = 0;'
        ' std::free(const_cast<int*>(p)); return *p; }\n',
}


def under_valgrind(command: list, text: str = '') -> tuple:
    result = subprocess.run([*VALGRIND, *map(str, command)], input=text, capture_output=True, text=True,
                            cwd=ROOT, errors='replace', timeout=300)
    return result.returncode, result.stderr


def control(source: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / 'program'
        subprocess.run(['g++', '-O0', '-w', '-x', 'c++', '-', '-o', program], input=source, text=True,
                       check=True)
        return under_valgrind([program])[0] == FOUND


def main() -> int:
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else 'build/native/kvseats')
    passed = failed = 0
    for name, words, status, text in COMMANDS:
        got, said = under_valgrind([ROOT / program, *words], text)
        good = got != FOUND and got >= 0 and (status is None or got == status)
        passed, failed = passed + good, failed + (not good)
        print(f'  {"ok    " if good else "FAILED"}  {name}' + ('' if good else f' (exit {got})\n{said}'),
              flush=True)
    for name, source in CONTROLS.items():
        good = control(source)
        passed, failed = passed + good, failed + (not good)
        print(f'  {"ok    " if good else "FAILED"}  noticed as it must: {name}', flush=True)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
