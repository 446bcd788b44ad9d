#!/usr/bin/env python3
# Event: Stop
# Does: runs the project's tests (the argument is the command) when the model is done. If they fail, sends it on once, with
#   the end of their output. A turn that a Stop hook has already sent on may end: this can never go round for ever.
# Settings (the timeout is what your tests may take, in seconds):
# {"hooks": {"Stop": [{"hooks": [{"type": "command", "timeout": 600,
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/tests-before-stop.py 'npm test'"}]}]}}
import json
import os
import subprocess
import sys
import tempfile

SHOWN = 4_000

try:
    if json.load(sys.stdin.buffer)["stop_hook_active"]:
        sys.exit(0)
    command = sys.argv[1]
    # A file, not a pipe: what a test leaves running in the background must not keep us waiting.
    with tempfile.TemporaryFile() as output:
        code = subprocess.run(
            ["bash", "-c", command],
            cwd=os.environ.get("CLAUDE_PROJECT_DIR") or None,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        ).returncode
        output.seek(max(0, output.seek(0, os.SEEK_END) - SHOWN))
        text = output.read().decode("utf-8", "replace").strip()
except IndexError:
    sys.exit("tests-before-stop: no tests were run; give the test command as an argument")
except Exception as error:
    sys.exit(f"tests-before-stop: no tests were run ({error!r})")
if code in (126, 127):
    sys.exit(f"tests-before-stop: `{command}` cannot be started: {text}")  # not the model's to mend
if code != 0:
    reason = f"`{command}` fails (exit code {code}). Mend it before you finish. The end of its output:\n{text}"
    print(json.dumps({"decision": "block", "reason": reason}))
