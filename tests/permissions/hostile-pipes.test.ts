/** What one command hands to the next, through a pipe, a here-text or a variable. Nothing here is ever run. */
import { test } from 'vitest';
import { all } from './answers.ts';
import type { RuleTexts } from './scene.ts';

const GUARDED: RuleTexts = { allow: ['Bash'], deny: ['Bash(rmx *)', 'Read(.env)'] };

test('xargs asks where its input is known only when it runs, though some of it is in the text', () => {
  all(GUARDED, 'ask', [
    'echo $(ls -a) | xargs cat',
    'echo f.txt $(ls -a) | xargs cat',
    'echo f.txt "$(ls -a)" | xargs -n1 cat',
    'xargs cat <<< "$(ls -a)"',
    'xargs cat <<E\n$(ls -a)\nE',
    'echo `ls -a` | xargs cat',
  ]);
  all(GUARDED, 'deny', ['echo $(ls -a) .env | xargs cat', 'echo $(rmx a) | xargs cat']);
  all(GUARDED, 'allow', ['echo f.txt | xargs cat', 'xargs cat <<< f.txt']);
});

test('braces that xargs does not replace stay a word of the command', () => {
  all({ allow: ['Bash'], deny: ['Bash(cp {} *)'] }, 'deny', [
    'xargs cp {} <<< x',
    'xargs -n1 cp {} <<< x',
    'xargs -I@ cp {} @ <<< x',
    'xargs -I* cp {} <<< x',
  ]);
  all({ allow: ['Bash'], deny: ['Bash(cp x *)'] }, 'deny', [
    'xargs -I{} cp {} y <<< x',
    'xargs -i cp {} y <<< x',
  ]);
});

test('what echo, printf, cat and tee hand to a shell or to xargs is looked through, wherever the program lies', () => {
  all(GUARDED, 'deny', [
    "printf 'rmx a\\n' | sh",
    "printf '%s\\n' ls 'rmx a' | sh",
    "printf '%s' rmx | bash",
    'echo -n rmx a | sh',
    '/bin/echo rmx a | sh',
    "cat <<'E' | bash\nrmx a\nE",
    'echo rmx a | cat | sh',
    'echo rmx a | cat - | tee log | sh',
    '/usr/bin/printf "%s\\n" .env | xargs cat',
  ]);
  all(GUARDED, 'ask', [
    "printf '\\162mx a' | sh",
    "printf '%b' x | sh",
    "echo -e '\\x72mx' | sh",
    'cat f.txt | sh',
    "cat - f.txt <<'E' | sh\nls\nE",
    "cat <<'E' < f.txt | sh\nls\nE",
  ]);
  all(GUARDED, 'allow', ["printf 'ls\\n' | sh", "cat <<'E' | bash\nls\nE", 'echo -n ls | sh']);
});

test('a variable that export or declare sets is known to what follows', () => {
  all(GUARDED, 'deny', [
    'export V=rmx; $V a',
    'declare -x F=.env && cat "$F"',
    'readonly F=.env; cat $F',
    'export F=.env G=x; cat $F',
  ]);
});
