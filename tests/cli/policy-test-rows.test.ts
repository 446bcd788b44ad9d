/** The rows of a policy's own tests: every error at once, with its place. */
import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/cli/policy-test-rows.ts';
import { describeProblem } from '../../src/settings/problem.ts';
import { WORKPLACE } from '../permissions/scene.ts';

const read = (...lines: readonly string[]) => readRows('p.jsonl', Buffer.from(lines.join('\n')), WORKPLACE);
const ROW = '{"tool":"Bash","input":{"command":"ls"},"expect":"allow"}';

describe('rows of a policy test', () => {
  it('are calls as the gate gets them, blank lines and CRLF between', () => {
    const { rows, problems } = read(
      '',
      `${ROW}\r`,
      '{"tool":"read_file","input":{"path":"a"},"mode":"plan","expect":"ask","name":"n"}',
    );
    expect(problems).toEqual([]);
    expect(rows.map(({ line, name, mode, expect: answer }) => [line, name, mode, answer])).toEqual([
      [2, undefined, undefined, 'allow'],
      [3, 'n', 'plan', 'ask'],
    ]);
    expect(rows.map(({ call }) => [call.tool.name, call.specifier])).toEqual([
      ['Bash', { kind: 'command', command: 'ls' }],
      ['Read', { kind: 'path', access: 'read', path: '/work/proj/a' }],
    ]);
  });

  it('may be about tools that live elsewhere', () => {
    expect(
      read('{"tool":"mcp__db__drop","input":{},"expect":"deny"}').rows.map(({ call }) => call.tool.name),
    ).toEqual(['mcp__db__drop']);
  });

  it.each([
    ['{"tool":"Bash","input":{"command":"ls"}}', '1:1: expect: missing (expected one of allow, ask, deny).'],
    ['{"tool":"Bash","expect":"ask"}', '1:1: input: missing (expected an object, the input of the tool).'],
    [
      '{"tool":3,"input":{},"expect":"ask"}',
      '1:9: tool: wrong value (expected the name of a tool, found a number (3)).',
    ],
    [
      '{"tool":"","input":{},"expect":"ask"}',
      '1:9: tool: wrong value (expected the name of a tool, found a string ("")).',
    ],
    [
      ROW.replace('"allow"', '"alow"'),
      '1:50: expect: wrong value (expected one of allow, ask, deny, found a string ("alow")). Did you mean "allow"?',
    ],
    [ROW.replace('"expect"', '"mode":"auto","expect"'), 'mode: wrong value (expected one of default,'],
    [
      ROW.replace('"expect"', '"expct":1,"expect"'),
      '1:41: expct: unknown key (expected one of tool, input, mode, expect, name). Did you mean "expect"?',
    ],
    [ROW.replace('"expect"', '"tool":"Read","expect"'), '1:41: tool: '],
    [ROW.replace('Bash', 'Bsh'), '1:9: tool: There is no tool named "Bsh". Did you mean Bash?'],
    [
      '{"tool":"Read","input":{"limit":1},"expect":"ask"}',
      '1:24: input: The input does not fit Read: file_path is missing; its fields are file_path, offset (optional), limit (optional).',
    ],
    ['[1]', '1:1: no row (expected an object, found a list).'],
    ['{"tool":', '1:9: not valid JSON'],
    ['', '1:1: no rows (expected one JSON object a line, found nothing).'],
  ])('%s: %s', (line, problem) => {
    const { rows, problems } = read(line);
    expect(rows).toEqual([]);
    expect(problems.map(describeProblem).join('\n')).toContain(problem);
  });

  it('are told of all together, each with its line', () => {
    const { rows, problems } = read(ROW, '{', ROW.replace('allow', 'no'), '[]');
    expect(rows).toHaveLength(1);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it('must be UTF-8', () => {
    const { problems } = readRows('p.jsonl', Buffer.from([...Buffer.from(ROW), 0xff]), WORKPLACE);
    expect(problems.map(({ message }) => message)).toEqual(['byte 0xff is not valid UTF-8 here']);
  });
});
