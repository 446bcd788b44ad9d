/** Every record that hookd writes is what docs/audit.md and docs/audit.schema.json say of it. */
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { recordJsonSchema } from '../../scripts/audit-docs.ts';
import type { StoredRecord } from '../../src/audit/chain.ts';
import { CHANNEL_DEFAULTS } from '../../src/audit/channel-settings.ts';
import { RECORDS } from '../../src/audit/record.ts';
import { RECORD_SCHEMAS } from '../../src/audit/record-schema.ts';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { ToolUseId } from '../../src/core/vocabulary.ts';
import { makeWorkspace } from '../support/hookd.ts';
import { play, text, toolUse } from '../support/in-process.ts';

const ajv = new Ajv({ allErrors: true, strict: false, discriminator: false });
const strict = recordJsonSchema(true) as {
  readonly $defs: object;
  readonly oneOf: readonly { title: string }[];
};
const byKind = new Map(
  strict.oneOf.map((schema) => [schema.title, ajv.compile({ ...schema, $defs: strict.$defs })]),
);

function misfits(records: readonly StoredRecord[]): readonly string[] {
  return records.flatMap((record): readonly string[] => {
    const validate = byKind.get(record.kind);
    if (validate?.(record) === true) return [];
    return [`${record.kind}: ${validate === undefined ? 'has no schema' : ajv.errorsText(validate.errors)}`];
  });
}

const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
const saying = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;

const SETTINGS = {
  permissions: { allow: ['Bash(echo *)', 'Read'], ask: ['Bash(touch *)'], deny: ['Bash(rm *)'] },
  hooks: {
    UserPromptSubmit: [hook('echo from the prompt hook')],
    PreToolUse: [
      {
        matcher: 'Bash',
        ...hook(
          saying({
            hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'echo rewritten' } },
          }),
          { if: 'Bash(echo first *)' },
        ),
      },
      { matcher: 'Write', ...hook('echo not this one >&2; exit 2') },
      { matcher: 'Edit', ...hook('exit 127') },
    ],
    PostToolUse: [
      {
        matcher: 'Read',
        ...hook(
          saying({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'other words' } }),
        ),
      },
      { matcher: 'Bash', ...hook('kill -9 $$', { async: true }) },
    ],
    Stop: [hook('[ -e stopped ] || { : > stopped; echo go on >&2; exit 2; }')],
  },
};

async function richSession(): Promise<readonly StoredRecord[]> {
  const workspace = makeWorkspace({
    settings: SETTINGS,
    files: { 'a.txt': 'hi\n', 'b.txt': 'x'.repeat(200_000) },
  });
  const { home } = workspace;
  const answers = [
    { answer: 'allow', client: 'test' },
    { answer: 'deny', client: 'test', reason: 'no' },
    { answer: 'unanswered', why: 'nobody is there' },
  ] as const;
  let asked = 0;
  const played = await play(
    [
      [toolUse('bash', { command: 'echo first call' }), toolUse('Bash', { command: 'rm a.txt' })],
      [toolUse('Read', { file_path: 'a.txt' }), toolUse('Nothing', {}), toolUse('Read', { wrong: 1 })],
      [toolUse('Write', { file_path: 'c.txt', content: 'c'.repeat(200_000) })],
      [toolUse('Edit', { file_path: 'a.txt', old_string: 'hi', new_string: 'ho' })],
      [toolUse('Bash', { command: 'touch one' }), toolUse('Bash', { command: 'touch two' })],
      [text('done')],
      [text('really done')],
    ],
    {
      workspace,
      approvals: { ask: async () => answers[asked++] ?? answers[2] },
      onEvent: (event) => {
        if (event.kind !== 'tool_result') return;
        // Saved while the session runs: refused once, taken over once.
        const file = join(home, 'settings.json');
        if (event.result.outcome === 'unknown_tool') writeFileSync(file, '{');
        if (event.result.text.includes('not this one'))
          writeFileSync(file, JSON.stringify({ ...SETTINGS, permissions: { ask: ['Bash(touch *)'] } }));
      },
    },
  );
  return played.records;
}

/** The kinds that need a crash, a failing log or an impossible moment. */
async function rareRecords(): Promise<readonly StoredRecord[]> {
  const directory = join(mkdtempSync(join(tmpdir(), 'hookd-schema-')), 'audit', 'w');
  const trail = new Trail(AuditWriter.create(directory));
  const by = { event: 'UserPromptSubmit', name: 'x', file: '/s.json', line: 1 };
  trail.record('prompt_refused', { text: 'p', reason: 'r', by });
  trail.record('model_failed', { code: 'MODEL_FAILED', message: 'm' });
  trail.record('mode_chosen', { mode: 'plan', before: 'default', client: 'c' });
  const decided = { project: '/p', client: 'c' };
  const files = [{ file: '/s.json', sha256: 'a'.repeat(64), loosens: ['allow Bash'] }];
  trail.record('trust_given', { ...decided, files });
  trail.record('trust_revoked', decided);
  trail.record('settings_accepted', { ...decided, files });
  trail.record('session_resumed', {
    ...{ path: '/t', bytes: 1, sha256: 'a'.repeat(64), tornBytes: 1 },
    ...{ messages: [], answers: [], starts: [], prompt: undefined },
  });
  const size = { messages: 3, tokens: 10 };
  const aboutIt = { trigger: 'auto', how: 'summary', before: size, after: size } as const;
  trail.record('compaction_started', { trigger: 'auto', how: 'outputs', ...size, window: 20 });
  trail.record('compacted', {
    ...aboutIt,
    change: { how: 'summary', replaced: 1, summary: 's' },
    sha256: { before: 'a'.repeat(64), after: 'b'.repeat(64) },
  });
  trail.record('approval_remembered', { rule: 'Bash(ls)', client: 'c', file: '/s.json' });
  trail.record('compaction_left_out', { trigger: 'auto', reason: 'r', by });
  trail.record('outcome_unknown', {
    writer: 'w',
    writerLife: 'dead',
    session: 's',
    id: 'toolu_1' as ToolUseId,
    tool: 'Bash',
    intent: 'a'.repeat(64),
  });
  await trail.durable();
  appendFileSync(join(directory, '000001.jsonl'), 'x');
  await expect(trail.durable()).rejects.toThrow();
  trail.record('prompt', { text: 'on' });
  trail.record('leftover_process', {
    of_writer: 'w',
    process: { pid: 2, processGroup: 2, startTime: '1' },
    id: 'toolu_1' as ToolUseId,
    hook: by,
    state: 'found',
  });
  trail.record('chain_removed', {
    ...{ of_writer: 'w', reason: 'age', files: 1, bytes: 2, last_seq: 3, last_hash: 'a'.repeat(64) },
  });
  trail.record('sink_state', { sink: '/a', required: false, state: 'failed', behind: 1, detail: 'EIO' });
  trail.configure({ ...CHANNEL_DEFAULTS, rotateBytes: 1, checkpointEvery: 1, floorBytes: 2 ** 50 });
  expect(() => trail.assertRoom()).toThrow(/audit\.floor/);
  return ['000001', '000002', '000003'].flatMap((name) =>
    readFileSync(join(directory, `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as StoredRecord),
  );
}

let played: Promise<readonly StoredRecord[]> | undefined;
const session = () => {
  played ??= richSession();
  return played;
};

describe('the schema of the records', () => {
  it('has every kind that can be recorded', () => {
    expect(Object.keys(RECORDS).filter((kind) => !byKind.has(kind))).toEqual([]);
    expect([...byKind.keys()].toSorted()).toEqual(Object.keys(RECORD_SCHEMAS).toSorted());
  });

  it('fits every record of a session in which much happens, and no field is left undescribed', async () => {
    const records = [...(await session()), ...(await rareRecords())];
    expect(misfits(records)).toEqual([]);
    const seen = new Set(records.map(({ kind }) => kind));
    expect([...byKind.keys()].filter((kind) => !seen.has(kind))).toEqual([]);
  });

  it('refuses a record with a field that is missing, of another type or not described', async () => {
    const [record] = await rareRecords();
    if (record === undefined) throw new Error('no record');
    const { text: _, ...without } = record;
    expect(
      misfits([record, without as StoredRecord, { ...record, text: 1 }, { ...record, more: 1 }]),
    ).toHaveLength(3);
    expect(misfits([{ ...record, by: { ...(record['by'] as object), more: 1 } }])).toHaveLength(1);
  });
});

describe('a permission record', () => {
  it('names who decided and what had made it a question', async () => {
    const permissions = (await session()).filter(({ kind }) => kind === 'permission');
    const told = permissions.map(({ decision, cause, asked_by }) => [decision, who(cause), who(asked_by)]);
    expect(told).toEqual([
      ['allow', 'rule Bash(echo *) settings.json:4', ''],
      ['deny', 'rule Bash(rm *) settings.json:11', ''],
      ['allow', 'rule Read settings.json:5', ''],
      ['deny', 'hook echo not this one >&2; exit 2 settings.json:39', ''],
      ['allow', 'human test', 'hook exit 127 settings.json:1'],
      ['deny', 'human test', 'rule Bash(touch *) settings.json:1'],
      ['deny', 'unanswered nobody is there', 'rule Bash(touch *) settings.json:1'],
    ]);
  });
});

type Told = Readonly<Record<string, Readonly<Record<string, unknown>> | string>>;

function who(cause: unknown): string {
  if (cause === undefined) return '';
  const { kind, rule, hook, client, why } = cause as Told & { readonly rule?: Told; readonly hook?: Told };
  const { text: words, name, file, line } = rule ?? hook ?? {};
  const place = file === undefined ? '' : ` ${basename(String(file))}:${line}`;
  return `${kind} ${words ?? name ?? client ?? why}${place}`;
}
