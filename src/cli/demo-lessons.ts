/** What the demonstration plays: the prompts, what the scripted model answers, and what to look at. */
import { Type } from 'typebox';
import type { ScriptedTurn } from '../model/script.ts';
import { defineTool } from '../tools/tool.ts';

export type LessonName = 's01' | 's02' | 's03' | 's04';

export interface Lesson {
  readonly name: LessonName;
  readonly title: string;
  /** The hooks of the demonstration are in force. */
  readonly withHooks?: true;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly lookAt: string;
  readonly prompt: string;
  readonly turns: readonly ScriptedTurn[];
}

/** The policy of the demonstration: written to settings.json of its own home. */
export const DEMO_SETTINGS = {
  permissions: {
    allow: ['Write', 'Edit', 'Bash(node hello.js)', 'Bash(mkdir:*)', 'Bash(mv build trash)'],
    ask: ['Bash(git push:*)'],
    deny: ['Bash(rm:*)'],
  },
};

/** A tool with a fault, so that the second lesson can show what becomes of one. */
export const flaky = defineTool({
  name: 'Flaky',
  description: 'Fails, always: its code throws.',
  inputSchema: Type.Object({}, { additionalProperties: false }),
  readOnly: true,
  specifiers: () => ({ kind: 'none' }),
  run: async () => {
    throw new Error('a fault inside the tool');
  },
});

const text = (words: string) => ({ type: 'text' as const, text: words });
const use = (name: string, input: Record<string, unknown>) => ({ type: 'tool_use' as const, name, input });

export const LESSONS: readonly Lesson[] = [
  {
    name: 's01',
    title: 'The loop: the model asks, hookd runs, the result goes back, until the model stops',
    steps: [
      {
        lookAt: 'the messages grow by two with each request: what the model asked, what came of it',
        prompt: 'Create hello.js, which prints a greeting, and run it.',
        turns: [
          [
            text('First the file.'),
            use('Write', { file_path: 'hello.js', content: "console.log('hello from hookd');\n" }),
          ],
          [text('Now I run it.'), use('Bash', { command: 'node hello.js' })],
          [text('hello.js is there and prints "hello from hookd".')],
        ],
      },
    ],
  },
  {
    name: 's02',
    title: 'Five tools behind one table: the loop knows none of them',
    steps: [
      {
        lookAt: 'five calls in one response run one after another; all results go back in one message',
        prompt: 'Write notes.txt, read it, change it, find it, and count its lines.',
        turns: [
          [
            use('Write', { file_path: 'notes.txt', content: 'one\ntwo\n' }),
            use('Read', { file_path: 'notes.txt' }),
            use('Edit', { file_path: 'notes.txt', old_string: 'two', new_string: 'three' }),
            use('Glob', { pattern: '*.txt' }),
            use('Bash', { command: 'wc -l notes.txt' }),
          ],
          [text('notes.txt has two lines: one, three.')],
        ],
      },
      {
        lookAt:
          'an unknown tool and a tool whose code throws: both are results that the model reads, the loop goes on',
        prompt: 'Use the Teleport tool, then the Flaky tool.',
        turns: [
          [use('Teleport', { to: 'the moon' }), use('Flaky', {})],
          [text('There is no Teleport, and Flaky is broken. I leave it at that.')],
        ],
      },
    ],
  },
  {
    name: 's03',
    title: 'Permission: allow, deny, ask; a refusal is something the model can read',
    steps: [
      {
        lookAt: 'a rule denies rm; the model reads why and takes another way, which a rule allows',
        prompt: 'Make a directory "build", then get rid of it.',
        turns: [
          [use('Bash', { command: 'mkdir build' })],
          [text('Now I remove it.'), use('Bash', { command: 'rm -r build' })],
          [
            text('Removing is denied here. I move it aside instead.'),
            use('Bash', { command: 'mv build trash' }),
          ],
          [text('"build" is now "trash": removing was denied by your rule.')],
        ],
      },
      {
        lookAt: 'a rule asks about git push; what is not a clear yes is a no',
        prompt: 'Push the branch.',
        turns: [
          [use('Bash', { command: 'git push origin main' })],
          [text('The push needs your approval, and was not approved. Nothing was pushed.')],
        ],
      },
      {
        lookAt: 'no rule names sudo: the built-in list denies it; the same word as text is harmless',
        prompt: 'Try sudo, then print the word.',
        turns: [
          [use('Bash', { command: 'sudo true' }), use('Bash', { command: 'echo "no sudo"' })],
          [text('sudo is denied, printing the word is not.')],
        ],
      },
    ],
  },
  {
    name: 's04',
    title: 'Hooks: programs of yours that observe, rewrite and refuse',
    withHooks: true,
    steps: [
      {
        lookAt:
          'a hook rewrites "rm -r build" into "mv build trash"; the rules judge what it became; two hooks that share a directory time the call; a Stop hook sends the model on until notes.md is there',
        prompt: 'Make a directory "build", then remove it.',
        turns: [
          [use('Bash', { command: 'mkdir -p build' })],
          [use('Bash', { command: 'rm -r build' })],
          [text('Done.')],
          [
            text('A hook wants notes.'),
            use('Write', { file_path: 'notes.md', content: 'build was moved to trash\n' }),
          ],
          [text('Now it is done, notes and all.')],
        ],
      },
      {
        lookAt:
          'a hook refuses with exit code 2, its words reach the model; a hook that crashes has not said yes: a person is asked, and says no',
        prompt: 'Write .env, then change notes.md.',
        turns: [
          [
            use('Write', { file_path: '.env', content: 'KEY=1\n' }),
            use('Edit', { file_path: 'notes.md', old_string: 'build', new_string: 'BUILD' }),
          ],
          [text('Neither was done: a hook refused the first, the second was not approved.')],
        ],
      },
      {
        lookAt:
          'a hook ends the turn (continue: false): the call does not run, and the log below is complete all the same',
        prompt: 'Find all files.',
        turns: [[use('Glob', { pattern: '**/*' })]],
      },
    ],
  },
];
