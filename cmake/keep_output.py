"""Runs a command whose standard output is kept in a file: keep_output.py FILE COMMAND…"""

import subprocess
import sys

with open(sys.argv[1], 'wb') as file:
    sys.exit(subprocess.run(sys.argv[2:], stdout=file).returncode)
