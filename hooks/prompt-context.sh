#!/bin/sh
# Event: UserPromptSubmit
# Does: gives the model the date, the git branch and the number of uncommitted files with every prompt. Plain text on
#   stdout is context on this event: no JSON is needed. Without git, or outside a repository, only the date.
# Settings:
# {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "timeout": 5, "onFailure": "continue",
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/prompt-context.sh"}]}]}}

cd "${CLAUDE_PROJECT_DIR:-.}" || exit 0
printf 'Date: %s\n' "$(LC_ALL=C date '+%A, %Y-%m-%d %H:%M %Z')"

# A repository may name a program in core.fsmonitor that git status would run.
git() { command git --no-optional-locks -c core.fsmonitor=false "$@" 2>/dev/null; }
git rev-parse --is-inside-work-tree >/dev/null || exit 0
branch=$(git symbolic-ref --quiet --short HEAD) || branch="none (detached at $(git rev-parse --short HEAD))"
changed=$(git status --porcelain | grep -c .)
printf 'Git branch: %s\nUncommitted files: %s\n' "$branch" "$changed"
