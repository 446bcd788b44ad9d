#!/usr/bin/env python3
# Event: PreToolUse
# Does: refuses git commands that lose work or rewrite what others have (push --force, reset --hard, clean -fd ...), asks
#   about milder ones (--force-with-lease, branch -D ...). Reads words as the shell does: quotes, $(...), sudo, sh -c, eval
#   and options before the subcommand hide nothing; what is only echoed passes. It cannot see into scripts and aliases.
# Settings (shell_words.py must lie beside it):
# {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "timeout": 10, "onFailure": "block",
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/git-guard.py"}]}]}}
import json
import re
import sys

DENY = {  # subcommand: how one of its arguments begins
    "push": r"-[^-o]*f|--for(ce?)?$|--mi|\+",
    "reset": r"--h",
    "clean": r"-[^-e]*f|--f",
    "checkout": r"-[^-bB]*f|--f|(\.|\./|:/|\*)$",
    "switch": r"-[^-cC]*f|--f|--di",
    "restore": r"(\.|\./|:/|\*)$",
    "stash": r"clear$",
    "reflog": r"(expire|delete)$",
    "filter-branch": r"",
}
ASK = {"push": r"-[^-o]*d|--de|--force-|:", "checkout": r"--$", "branch": r"-[^-]*D", "stash": r"drop$"}
HARMLESS = {"push": r"-[^-o]*n|--dr", "clean": r"-[^-e]*n|--dr", "restore": r"-[^-W]*S[^W]*$|--st"}
VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source")


def verdict(words):
    if not words or not re.match(r"(.*/)?git$|\$", words[0]):  # a variable may hold git
        return None
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in VALUED else 1
    subcommand, *args = words[at:] or [""]
    options = args[: args.index("--")] if "--" in args else args

    def fits(rules, given):
        return subcommand in rules and any(re.match(rules[subcommand], arg) for arg in [*given, ""])

    if fits(HARMLESS, options) and not any(re.match("-[^-]*W|--w", option) for option in options):
        return None
    return "deny" if fits(DENY, args) else "ask" if fits(ASK, args) else None


try:
    sys.dont_write_bytecode = True
    from shell_words import commands

    text = json.load(sys.stdin.buffer)["tool_input"]["command"]
    judged = [(verdict(words), " ".join(words)) for words, _ in commands(text)]
except Exception as error:
    print(f"git-guard: refused, the call cannot be read ({error!r})", file=sys.stderr)
    sys.exit(2)
worst = next((found for wanted in ("deny", "ask") for found in judged if found[0] == wanted), None)
if worst:
    reason = f"git-guard: `{worst[1][:200]}` can destroy work that cannot be brought back."
    answer = {"permissionDecision": worst[0], "permissionDecisionReason": reason}
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}}))
