#!/usr/bin/env python3
# Event: PreToolUse, PostToolUse, PostToolUseFailure
# Does: a pair that shares the session's directory: before a call it notes the time, after it the seconds go to
#   timings.tsv there (session-summary.py reads it). The model is told of calls over 30 seconds (or the first argument).
#   Unlike duration_ms in the payload this counts the other hooks and the wait for a person too.
# Settings:
# {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "timeout": 10, "onFailure": "continue",
#     "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/timing.py"}]}],
#   "PostToolUse": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/timing.py"}]}],
#   "PostToolUseFailure": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/timing.py"}]}]}}
import hashlib
import json
import os
import stat
import sys
import tempfile
import time


def digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def directory(session):
    if os.environ.get("HOOKD_SESSION_DIR"):
        return os.environ["HOOKD_SESSION_DIR"]
    # Claude Code has no such directory: one in a place where others may write must be ours alone.
    path = os.path.join(tempfile.gettempdir(), f"hook-timing-{os.getuid()}-{digest(session)}")
    os.makedirs(path, mode=0o700, exist_ok=True)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} is not ours alone")
    return path


try:
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    call = json.load(sys.stdin.buffer)
    event, tool, place = call["hook_event_name"], str(call["tool_name"]), directory(call["session_id"])
    started = os.path.join(place, f"started-{digest(call['tool_use_id'])}")  # the model chose the id: never a file name
    if event == "PreToolUse":
        with open(started, "a") as file:  # a call that another hook rewrites is judged twice: the first line counts
            file.write(f"{time.monotonic()}\n")
    elif os.path.exists(started):
        with open(started) as file:
            seconds = time.monotonic() - float(file.readline())
        os.unlink(started)
        with open(os.path.join(place, "timings.tsv"), "a") as file:
            file.write(f"{seconds:.3f}\t{' '.join(tool.split())}\n")
        if seconds > limit:
            text = f"{tool} took {seconds:.1f} s, questions and hooks included."
            print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
except Exception as error:
    sys.exit(f"timing: nothing done ({error!r})")
