#!/usr/bin/env perl
# Event: PreToolUse
# Does: gives a Bash call that has no timeout one: ten minutes to builds, tests and installations, two minutes to all else.
#   Rewrites the whole input and has no opinion about the call, so that your rules still judge it.
# Settings:
# {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "timeout": 10, "onFailure": "continue",
#   "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/bash-timeout.pl"}]}]}}
use strict;
use warnings;
use JSON::PP;

my $LONG = qr/\b(?:test|tests|build|install|ci|check|compile|bench|migrate|make|pytest|vitest|jest|tox|gradle|mvn|docker)\b/;
my $json = JSON::PP->new->utf8->canonical;
binmode STDIN;

my $call  = eval { local $/; $json->decode(scalar <STDIN>) };
my $input = ref $call eq 'HASH' ? $call->{tool_input} : undef;
if (ref $input ne 'HASH' or not defined $input->{command} or ref $input->{command}) {
    print STDERR "bash-timeout: nothing done, the payload holds no command\n";
    exit 1;    # no guard: the call goes on, with a warning
}
exit 0 if defined $input->{timeout} or $input->{run_in_background};

my $milliseconds = $input->{command} =~ $LONG ? 600_000 : 120_000;
print $json->encode({
    hookSpecificOutput => {
        hookEventName => 'PreToolUse',
        updatedInput  => { %$input, timeout => $milliseconds },
    },
}), "\n";
