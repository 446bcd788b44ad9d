#!/usr/bin/env python3
# Event: PostToolUse
# Does: tells the model when a result is large (20,000 characters, or the number given as an argument), with a way to
#   ask for less, so that it does not fill its context with output that it does not need.
# Settings:
# {"hooks": {"PostToolUse": [{"matcher": "Bash|Read|Grep|Glob", "hooks": [{"type": "command", "timeout": 10,
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/large-output.py 20000"}]}]}}
import json
import sys

ADVICE = {
    "Bash": "Send output to a file and look at a part (head, tail, grep), or make the command quieter.",
    "Read": "Read a part with offset and limit.",
    "Grep": "Narrow the pattern or the path, or ask for file names only.",
    "Glob": "Narrow the pattern.",
}


def characters(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return sum(map(characters, value))
    return len(value) if isinstance(value, str) else 0


try:
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    call = json.load(sys.stdin.buffer)
    tool, size = str(call["tool_name"]), characters(call["tool_response"])
except Exception as error:
    sys.exit(f"large-output: nothing done ({error!r})")
if size > limit:
    text = f"This result of {tool} is large: {size:,} characters. {ADVICE.get(tool, 'Ask for less next time.')}"
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": text}}))
