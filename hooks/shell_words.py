"""The simple commands of a shell text: what the two guards beside this file look at. Not a hook itself.

It errs on the side of finding too much. What it cannot know: the values of variables, what a script or an alias runs.
"""

import itertools
import re
import shlex

LONGEST = 100_000
CUT = ";&|()<>\n`"
# What stands before a command: keywords, assignments, the number of a redirected stream.
BEFORE = re.compile(r"(if|then|elif|else|while|until|do|!|\{|\d+|[A-Za-z_]\w*=.*)$", re.S)
SHELL = re.compile(r"(.*/)?((ba|da|z|k)?sh|eval|ssh|su|watch)$")
WRAPPER = re.compile(r"(.*/)?(sudo|doas|env|command|builtin|exec|time|nohup|nice|timeout|setsid|stdbuf|xargs|find|flock)$")
SUBSTITUTION = re.compile(r"\$\((.*)\)|`(.*)`", re.S)
# The text of a here-document is not commands, unless the line hands it on or the shell expands something in it.
DOCUMENT = re.compile(
    r"((?:^|[;&(\n])\s*(?:cat|tee|git)\b[^\n;&|]*)<<-?\s*['\"\\]?(\w+)['\"]?([^\n;&|]*)\n(?:(?!\$\(|`).)*?^\s*\2$", re.S | re.M)


def commands(text):
    """(words, beside) of every command, also in $(...), sh -c, eval; beside: its assignments and redirected files."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError("the command is no text, or too long to judge")
    found = split(text)
    is_piped = any(len(words) == 1 and SHELL.match(words[0]) for words, _ in found)  # echo "..." | sh
    for words, targets in found:
        for word in words:
            inner = SUBSTITUTION.search(word)
            if inner or (is_piped and " " in word):
                yield from commands(inner[1] or inner[2] or "" if inner else word)
        command = list(itertools.dropwhile(BEFORE.match, words))
        yield [], words[: len(words) - len(command)] + targets
        for at, word in enumerate(command[:50] if WRAPPER.match("".join(command[:1])) else command[:1]):
            yield command[at:], []
            if SHELL.match(word):
                for text in [*command[at + 1 :], " ".join(command[at + 1 :])]:
                    yield from commands(text)
                break


def split(text):
    text = DOCUMENT.sub(r"\1\3", text.replace("\\\n", ""))
    lexer = shlex.shlex(text, posix=True, punctuation_chars=CUT)
    lexer.whitespace, lexer.commenters, lexer.whitespace_split = " \t\r", "", True
    try:
        words = list(lexer)
    except ValueError:  # a quote that does not close, as in a comment
        words = re.findall(rf"[^\s'\"{CUT}]+|[{CUT}]+", text)
    found, is_target = [([], [])], False
    for word in words:
        if word and not word.strip(CUT):
            found += [] if re.fullmatch(r"&?[<>]+[&|]?", word) else [([], [])]
            is_target = re.search(r"[<>][&|]?$", word)
        else:
            found[-1][bool(is_target)].append(word)
            is_target = False
    return found
