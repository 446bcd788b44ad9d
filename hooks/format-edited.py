#!/usr/bin/env python3
# Event: PostToolUse
# Does: formats a file after the agent wrote it, with the first formatter that is found in the project's node_modules/.bin
#   or on the PATH. Silent when there is none or nothing changed; else tells the model that the file is different now.
#   A formatter reads the project's configuration: do not enable this for a project that you do not trust.
# Settings:
# {"hooks": {"PostToolUse": [{"matcher": "Write|Edit|MultiEdit", "hooks": [{"type": "command", "timeout": 30,
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/format-edited.py"}]}]}}
import json
import os
import shutil
import subprocess
import sys

WEB = (["biome", "format", "--write"], ["prettier", "--write", "--log-level", "error"])
FORMATTERS = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".css", ".json", ".html"), WEB),
    **dict.fromkeys((".md", ".yaml", ".yml", ".vue", ".svelte"), WEB[1:]),
    ".py": (["black", "-q"], ["ruff", "format", "-q"]),
    ".go": (["gofmt", "-w"],),
    ".rs": (["rustfmt"],),
    ".sh": (["shfmt", "-w"],),
}


def content(path):
    with open(path, "rb") as file:
        return file.read()


try:
    call = json.load(sys.stdin.buffer)
    path = os.path.join(call["cwd"], call["tool_input"]["file_path"])
    project = os.environ.get("CLAUDE_PROJECT_DIR") or call["cwd"]
    places = os.pathsep.join([os.path.join(project, "node_modules", ".bin"), os.environ.get("PATH", "")])
    known = FORMATTERS.get(os.path.splitext(path)[1].lower(), ())
    formatter = next((words for words in known if shutil.which(words[0], path=places)), None)
    if formatter is None or not os.path.isfile(path):
        sys.exit(0)
    name, before = formatter[0], content(path)
    run = subprocess.run(
        [shutil.which(name, path=places), *formatter[1:], path],
        cwd=project, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
    )
    text = f"{path} was formatted by {name}: read it again before you edit it." if content(path) != before else None
    if run.returncode != 0:
        text = f"{name} could not format {path}: {(run.stderr or run.stdout).strip()[:500]}"
except Exception as error:
    sys.exit(f"format-edited: nothing done ({error!r})")
if text is not None:
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": text}}))
