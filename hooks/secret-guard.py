#!/usr/bin/env python3
# Event: PreToolUse
# Does: refuses calls that touch secrets: .env files, private keys, stored credentials; links are followed. In Bash it
#   looks at the words of every command, also in $(...), globs and sh -c; names that are only listed or echoed pass.
#   It cannot see through variables, scripts and grep -r: write "Read(.env)" into permissions.deny as well.
# Settings (shell_words.py must lie beside it):
# {"hooks": {"PreToolUse": [{"matcher": "Read|Write|Edit|MultiEdit|NotebookEdit|Grep|Bash", "hooks": [{"type": "command",
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/secret-guard.py", "timeout": 10, "onFailure": "block"}]}]}}
import fnmatch
import json
import os
import re
import sys

SECRET = re.compile(
    r"(^|/)(\.env(\.[^/]+)?|(prod(uction)?|staging|dev(elopment)?|local|secrets?)\.env|id_(rsa|dsa|ecdsa|ed25519)(_sk)?"
    r"|[^/]+\.(pem|key|p12|pfx|jks|keystore|kdbx)|\.netrc|\.pgpass|\.git-credentials|\.npmrc|\.pypirc|\.aws/credentials"
    r"|\.ssh/(?!config$|known_hosts)[^/]+|\.gnupg/.+|\.kube/config|\.docker/config\.json)$", re.I)
PUBLIC = re.compile(r"[._-](example|sample|template|dist|defaults?)$|\.pub$", re.I)
NEEDS = {"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path"}
LISTS = re.compile(r"(echo|printf|ls|test|\[\[?|stat|git (check-ignore|ls-files|rm|status))( |$)")  # never reads them ...
HANDS_ON = re.compile(r"(?<!\|)\|(?!\|)|`|[$<>]\(|\bxargs\b")  # ... unless the names go on to another command


def is_secret(name, cwd):
    shape = os.path.basename(re.sub(r"\$?\{[^}]*\}|\$\w+", "*", name)).lower()
    if re.search(r"[*?[]", shape) and shape.strip("*?[]") and fnmatch.filter([".env", ".env.local", "id_rsa"], shape):
        return True
    path = os.path.normpath(os.path.join(cwd, os.path.expanduser(name.lstrip("$"))))
    return any(SECRET.search(at) and not PUBLIC.search(at) for at in (path, os.path.realpath(path)))


def names_in(command):
    for words, beside in commands(command):
        if LISTS.match(" ".join(words[:2])) and not HANDS_ON.search(command):
            words = []
        for word in [*words, *beside]:
            if re.match(r"(.*/)?(python[\d.]*|node|perl|ruby|php)$", "".join(words[:1])):
                yield from re.findall(r"['\"]([^'\"\s]+)['\"]", word)
            yield from [] if re.match(r"--(exclude|ignore)|:?[!^]", word) else [word, *re.split("[=@:,]", word)]


try:
    sys.dont_write_bytecode = True
    from shell_words import commands

    call = json.load(sys.stdin.buffer)
    tool, given, cwd = call["tool_name"], call["tool_input"], call.get("cwd") or os.getcwd()
    if tool in NEEDS and not isinstance(given[NEEDS[tool]], str):
        raise ValueError(f"{NEEDS[tool]} of {tool} is no text")
    names = [given[key] for key in ("file_path", "notebook_path", "path", "glob") if given.get(key)]
    secret = next((name for name in [*names, *names_in(given.get("command", ""))] if is_secret(name, cwd)), None)
except Exception as error:
    print(f"secret-guard: refused, the call cannot be read ({error!r})", file=sys.stderr)
    sys.exit(2)
if secret is not None:
    print(f"secret-guard: {secret} holds secrets. Work without it, or ask the user.", file=sys.stderr)
    sys.exit(2)
