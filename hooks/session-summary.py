#!/usr/bin/env python3
# Event: SessionEnd
# Does: appends one line about the session (requests, tokens, tool calls, the slowest one if timing.py is enabled) to
#   $HOOK_SESSION_LOG (default ~/.local/state/hook-sessions.log).
# Settings (the event gives a hook 1.5 seconds unless it asks for more):
# {"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "timeout": 10,
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/session-summary.py"}]}]}}
import collections
import json
import os
import sys
import time


def assistant_messages(path):
    with open(path, encoding="utf-8", errors="replace") as transcript:
        for line in transcript:
            try:
                message = json.loads(line)["message"]
                if message["role"] == "assistant":
                    yield message["id"], message.get("usage") or {}, message["content"]
            except (ValueError, KeyError, TypeError):  # a notice, or a line of another kind
                continue


def slowest():
    try:
        with open(os.path.join(os.environ["HOOKD_SESSION_DIR"], "timings.tsv"), encoding="utf-8") as timings:
            seconds, tool = max((float(line.split("\t")[0]), line.split("\t")[1].strip()) for line in timings)
        return f", slowest {tool} {seconds:.1f} s"
    except (KeyError, OSError, ValueError, IndexError):
        return ""


try:
    end = json.load(sys.stdin.buffer)
    usage, tools = {}, collections.Counter()  # a response with several blocks is several lines with one id
    for response, counts, content in assistant_messages(end["transcript_path"]):
        usage[response] = counts
        tools.update(block["name"] for block in content if isinstance(block, dict) and block.get("type") == "tool_use")
    tokens = sum(count for one in usage.values() for key, count in one.items() if key.endswith("_tokens"))
    calls = " ".join(f"{name}×{count}" for name, count in tools.most_common()) or "no tool calls"
    log = os.environ.get("HOOK_SESSION_LOG") or os.path.expanduser("~/.local/state/hook-sessions.log")
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "a", encoding="utf-8") as file:
        when = time.strftime("%Y-%m-%d %H:%M")
        file.write(f"{when} {end['session_id']} {len(usage)} requests, {tokens} tokens, {calls}{slowest()}\n")
except Exception as error:
    sys.exit(f"session-summary: nothing written ({error!r})")
