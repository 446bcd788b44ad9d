/** Lists and sequences in braces, and long lists of a loop, in front of what is forbidden without a rule. Nothing is run. */
import { describe, expect, test } from 'vitest';
import { guessWord } from '../../src/permissions/shell/guesses.ts';
import { parseCommand } from '../../src/permissions/shell/parse.ts';
import { bash, judge } from './scene.ts';

const many = Array.from({ length: 40 }, (_, index) => `a${index}`);
const decided = (command: string) => judge({ allow: ['Bash'] }, bash(command)).behavior;

test.each([
  `rm -rf {${many.join(',')},/usr}`,
  `touch {${many.join(',')},.bashrc}`,
  `for x in ${many.join(' ')} /usr; do rm -rf $x; done`,
  'rm -rf /home/{t..v}',
  'touch .bash{r..s}c',
  'touch .bash{s..q}c',
  'touch .bash{q..s..1}c',
  'rm -rf {x,{y,/us{q,r}}}',
  'rm -rf {1..3}/../../../../usr',
])('%j is seen to its last word', (command) => {
  expect(decided(command)).toBe('ask');
});

test('a word that may be more than is kept of it asks', () => {
  expect(decided('touch {a..z}{a..z}')).toBe('ask');
  expect(decided(`x=1; rm -rf "${'$x'.repeat(201)}"`)).toBe('ask');
});

test.each([
  'touch {a..z}',
  'touch f{1..1000}',
  'mkdir -p src/{a,b,c}/{d,e}',
  'for i in {1..1000}; do echo $i; done',
])('%j is nothing to ask about', (command) => {
  expect(decided(command)).toBe('allow');
});

describe('a word in braces', () => {
  const words = (text: string): readonly string[] => {
    const { script } = parseCommand(`echo ${text}`);
    const node = script?.commands[0]?.command;
    const word = node?.type === 'Command' ? node.args[0] : undefined;
    if (word?.type !== 'Word') throw new Error(text);
    const state = { home: '/h', cwd: '/c', variables: new Map(), unset: new Set<string>(), braces: true };
    return guessWord(word, { ...state, cut: { is: false } });
  };

  // As bash 5.2 expands them.
  test.each([
    ['{a,b}', ['a', 'b']],
    ['x{a,b}y', ['xay', 'xby']],
    ['{a,b{c,d}}', ['a', 'bc', 'bd']],
    ['{a{b,c}{d,e},f}', ['abd', 'abe', 'acd', 'ace', 'f']],
    ['{a..e..2}', ['a', 'c', 'e']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{3..1}', ['3', '2', '1']],
    ['{x,{1..2}}', ['x', '1', '2']],
    ['{a}', ['{a}']],
    ['{a,"b"}', ['a', 'b']],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});
