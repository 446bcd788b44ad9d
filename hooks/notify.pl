#!/usr/bin/env perl
# Event: Notification, Stop
# Does: tells you that the agent waits for you or is done: on the desktop (notify-send), else with a bell on the terminal,
#   else as a line in $HOOK_NOTIFY_LOG (default ~/.local/state/hook-notify.log). Nothing waits for it.
# Settings:
# {"hooks": {"Notification": [{"hooks": [{"type": "command", "async": true, "timeout": 10,
#     "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/notify.pl"}]}],
#   "Stop": [{"hooks": [{"type": "command", "async": true, "timeout": 10,
#     "command": "\"$CLAUDE_PROJECT_DIR\"/.hookd/hooks/notify.pl"}]}]}}
use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use JSON::PP;
use POSIX qw(strftime);

binmode STDIN;
my $event = eval { local $/; JSON::PP->new->utf8->decode(scalar <STDIN>) };
if (ref $event ne 'HASH') {
    print STDERR "notify: nothing done, the payload cannot be read\n";
    exit 1;
}
my $text = $event->{message} // $event->{last_assistant_message} // $event->{hook_event_name} // 'needs you';
$text =~ s/[[:cntrl:]]+/ /g;    # a message must not steer the terminal
$text = substr($text, 0, 200);
utf8::encode($text);
my $title = 'Agent in ' . basename($ENV{CLAUDE_PROJECT_DIR} // '.');

if ($ENV{DISPLAY} or $ENV{WAYLAND_DISPLAY}) {
    (my $markup = $text) =~ s/([&<>])/{'&' => '&amp;', '<' => '&lt;', '>' => '&gt;'}->{$1}/ge;
    open my $stderr, '>&', \*STDERR;
    open STDERR, '>', '/dev/null';
    exit 0 if system('notify-send', '--', $title, $markup) == 0;
}
if (open my $terminal, '>', '/dev/tty') {
    print $terminal "\a";
    exit 0;
}
my $log = $ENV{HOOK_NOTIFY_LOG} // ($ENV{HOME} // '') . '/.local/state/hook-notify.log';
make_path(dirname($log), { error => \my $failed });
if (not open my $file, '>>', $log) {
    print STDERR "notify: cannot write $log: $!\n";
    exit 1;
}
else {
    print $file strftime('%Y-%m-%d %H:%M:%S', localtime), " $title: $text\n";
}
