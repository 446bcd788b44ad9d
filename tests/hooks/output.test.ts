/** What a run amounts to, row by row of the contract. */
import { describe, expect, test } from 'vitest';
import { HOOK_EVENTS, type HookEvent } from '../../src/hooks/events.ts';
import type { Hook, HookRun, OnFailure } from '../../src/hooks/hook.ts';
import { readOutcome } from '../../src/hooks/output.ts';
import { commandHook, hook, ran } from './hooks.ts';

const said = (event: HookEvent, specific: object) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...specific } });
const decide = (permissionDecision: string, more: object = {}) =>
  said('PreToolUse', { permissionDecision, permissionDecisionReason: 'RSN', ...more });
const DENY = decide('deny');
const ALLOW = decide('allow');
const ASK = decide('ask');
const STOP = JSON.stringify({ continue: false, stopReason: 'enough' });
const ERROR = 'PreToolUse:Bash hook error: ';

/** What counts, without the warnings. */
function outcome(event: HookEvent, run: Parameters<typeof ran>[1], changes: Partial<Hook> = {}) {
  const of = commandHook('guard.sh', { event, ...changes });
  const { warnings, ...rest } = readOutcome(event, ran(event, { hook: of, ...run }), 'Bash');
  return rest;
}
const warningsOf = (event: HookEvent, run: Parameters<typeof ran>[1]) =>
  readOutcome(event, ran(event, run)).warnings;
const failedAs = (what: string, became: OnFailure) => ({ what, became });
const asking = (how: string, stderr = 'No stderr output') => `[guard.sh]: ${how}\n${stderr}`;

describe('PreToolUse: exit 2', () => {
  test.each([
    ['stderr is the reason', { stderr: 'ERR\n' }, '[guard.sh]: ERR'],
    [
      'JSON on stderr is shown as it is',
      { stderr: '{"decision":"block"}' },
      '[guard.sh]: {"decision":"block"}',
    ],
    ['without stderr the JSON’s reason', { stdout: DENY }, 'RSN'],
    ['stderr first, then the JSON’s reason', { stdout: DENY, stderr: 'ERR\n' }, '[guard.sh]: ERR\nRSN'],
    ['plain stdout is no reason', { stdout: 'because' }, '[guard.sh]: No stderr output'],
    ['an allow is nothing', { stdout: ALLOW, stderr: 'ERR' }, '[guard.sh]: ERR'],
    ['an ask is stricter than it seems', { stdout: ASK }, 'RSN'],
    ['broken JSON is nothing', { stdout: '{"a":', stderr: 'ERR' }, '[guard.sh]: ERR'],
    ['output over the cap changes nothing', { stderr: 'ERR', truncated: true }, '[guard.sh]: ERR'],
  ])('denies: %s', (_name, run, reason) => {
    expect(outcome('PreToolUse', { ...run, exit: 2 })).toEqual({ verdict: 'block', reason: ERROR + reason });
  });

  test('its continue:false and its context count, its rewrite does not', () => {
    const stdout = JSON.stringify({
      continue: false,
      stopReason: 'S',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        additionalContext: 'CTX',
        updatedInput: { command: 'x' },
      },
    });
    expect(outcome('PreToolUse', { exit: 2, stdout })).toEqual({
      verdict: 'block',
      reason: `${ERROR}[guard.sh]: No stderr output`,
      stop: { reason: 'S' },
      additionalContext: 'CTX',
    });
  });
});

describe('PreToolUse: what tightens counts, however the hook ended', () => {
  const ends: [string, Partial<HookRun> & { exit?: number }][] = [
    ['exit 0', { exit: 0 }],
    ['exit 1', { exit: 1 }],
    ['exit 3', { exit: 3 }],
    ['exit 127', { exit: 127 }],
    ['a signal', { end: { kind: 'signalled', signal: 'SIGKILL' } }],
    ['a time-out', { end: { kind: 'timedOut' } }],
  ];
  test.each(ends)('a denial at %s', (_name, run) => {
    expect(outcome('PreToolUse', { ...run, stdout: DENY })).toMatchObject({
      verdict: 'block',
      reason: `${ERROR}RSN`,
    });
  });
  test.each(ends)('an ask at %s', (_name, run) => {
    expect(outcome('PreToolUse', { ...run, stdout: ASK })).toMatchObject({ verdict: 'ask', reason: 'RSN' });
  });
  test.each(ends)('continue:false at %s', (_name, run) => {
    expect(outcome('PreToolUse', { ...run, stdout: STOP }).stop).toEqual({ reason: 'enough' });
  });
  test.each(ends.slice(1))('an allow and a rewrite at %s do not', (_name, run) => {
    const stdout = decide('allow', { updatedInput: { command: 'x' } });
    const { verdict, updatedInput } = outcome('PreToolUse', { ...run, stdout });
    expect(verdict).not.toBe('allow');
    expect(updatedInput).toBeUndefined();
    expect(warningsOf('PreToolUse', { ...run, stdout }).join()).toContain('that needs exit 0');
  });
  test('context and a message to the user do not loosen', () => {
    const stdout = JSON.stringify({
      systemMessage: 'SYS',
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'CTX' },
    });
    expect(outcome('PreToolUse', { exit: 1, stdout })).toEqual({
      verdict: 'none',
      systemMessage: 'SYS',
      additionalContext: 'CTX',
    });
  });
  test('onFailure: block is stricter than an ask', () => {
    expect(outcome('PreToolUse', { exit: 1, stdout: ASK }, { onFailure: 'block' }).verdict).toBe('block');
  });
});

describe('PreToolUse: one JSON object at exit 0 says', () => {
  test.each([
    ['allow', ALLOW, { verdict: 'allow', reason: 'RSN' }],
    ['deny', DENY, { verdict: 'block', reason: `${ERROR}RSN` }],
    ['ask', ASK, { verdict: 'ask', reason: 'RSN' }],
    ['defer, which counts as ask', decide('defer'), { verdict: 'ask', reason: 'RSN' }],
    [
      'a denial without a reason',
      said('PreToolUse', { permissionDecision: 'deny' }),
      { verdict: 'block', reason: `${ERROR}Blocked by hook: [guard.sh]` },
    ],
    [
      'an ask without a reason',
      said('PreToolUse', { permissionDecision: 'ask' }),
      { verdict: 'ask', reason: 'A hook asks for confirmation: [guard.sh]' },
    ],
    ['legacy block', '{"decision":"block","reason":"R"}', { verdict: 'block', reason: `${ERROR}R` }],
    ['legacy approve', '{"decision":"approve","reason":"R"}', { verdict: 'allow', reason: 'R' }],
    [
      'block beside allow',
      JSON.stringify({ decision: 'block', reason: 'R', ...JSON.parse(ALLOW) }),
      { verdict: 'block', reason: `${ERROR}R` },
    ],
    [
      'a rewrite alone',
      said('PreToolUse', { updatedInput: { command: 'x' } }),
      { verdict: 'none', updatedInput: { command: 'x' } },
    ],
    [
      'ask and a rewrite',
      decide('ask', { updatedInput: { command: 'x' } }),
      { verdict: 'ask', reason: 'RSN', updatedInput: { command: 'x' } },
    ],
    [
      'deny, where a rewrite is unused',
      decide('deny', { updatedInput: { command: 'x' } }),
      { verdict: 'block', reason: `${ERROR}RSN` },
    ],
    [
      'context',
      said('PreToolUse', { additionalContext: 'CTX' }),
      { verdict: 'none', additionalContext: 'CTX' },
    ],
    [
      'context with a denial',
      decide('deny', { additionalContext: 'CTX' }),
      { verdict: 'block', reason: `${ERROR}RSN`, additionalContext: 'CTX' },
    ],
    ['continue:false', STOP, { verdict: 'none', stop: { reason: 'enough' } }],
    ['continue:false without a reason', '{"continue":false}', { verdict: 'none', stop: {} }],
    [
      'continue:false, beside which no allow counts',
      JSON.stringify({ continue: false, ...JSON.parse(decide('allow', { updatedInput: {} })) }),
      { verdict: 'none', stop: {}, reason: undefined },
    ],
    ['a message', '{"systemMessage":"SYS"}', { verdict: 'none', systemMessage: 'SYS' }],
    ['nothing', '{}', { verdict: 'none' }],
    ['nothing, in unknown keys', '{"metrics":{"a":1},"chat_id":2}', { verdict: 'none' }],
    ['deny, among unknown keys', decide('deny', { foo: 1 }), { verdict: 'block', reason: `${ERROR}RSN` }],
    [
      'deny, with white space and a byte order mark',
      `\ufeff\n\n ${DENY} \n\n`,
      { verdict: 'block', reason: `${ERROR}RSN` },
    ],
    [
      'deny, over several lines',
      JSON.stringify(JSON.parse(DENY), null, 2),
      { verdict: 'block', reason: `${ERROR}RSN` },
    ],
    [
      'deny, with bytes that are no UTF-8',
      decide('deny', { permissionDecisionReason: 'caf\ufffd' }),
      { verdict: 'block', reason: `${ERROR}caf\ufffd` },
    ],
  ])('%s', (_name, stdout, expected) => {
    expect(outcome('PreToolUse', { stdout })).toEqual(expected);
  });

  test.each([
    ['permissionDecision at the top', '{"permissionDecision":"deny"}', 'belongs into "hookSpecificOutput"'],
    ['additionalContext at the top', '{"additionalContext":"x"}', 'belongs into "hookSpecificOutput"'],
    ['decision: allow', '{"decision":"allow"}', 'says nothing'],
    ['async: true', '{"async":true}', 'counts in the settings'],
    [
      'a decision inside',
      said('PreToolUse', { decision: { behavior: 'block' } }),
      '"decision" in "hookSpecificOutput" was ignored: there it has an effect on PermissionRequest only; on PreToolUse "permissionDecision" has',
    ],
    [
      'a word for a decision inside',
      said('PreToolUse', { decision: 'block' }),
      '"decision" in "hookSpecificOutput" was ignored',
    ],
    ['behavior at the top', '{"behavior":"deny"}', '"behavior" was ignored'],
    ['behavior inside', said('PreToolUse', { behavior: 'deny' }), '"behavior" was ignored'],
    ['a message inside', said('PreToolUse', { systemMessage: 'S' }), 'belongs beside "hookSpecificOutput"'],
    ['continue inside', said('PreToolUse', { continue: false }), 'belongs beside "hookSpecificOutput"'],
    [
      'a key that is nearly one',
      said('PreToolUse', { permissionDecison: 'deny' }),
      '"permissionDecison" was ignored: no key is called so; "permissionDecision" would have an effect',
    ],
    [
      'a key in another spelling',
      said('PreToolUse', { permission_decision: 'deny' }),
      '"permissionDecision" would have an effect',
    ],
    [
      'a key that is nearly one, at the top',
      '{"permissionDecison":"deny"}',
      '"permissionDecision" in "hookSpecificOutput" would have an effect',
    ],
    [
      'an object that is nearly the one',
      '{"hookSpecificOuput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}',
      '"hookSpecificOutput" would have an effect',
    ],
    ['nearly a decision', '{"desicion":"block"}', '"decision" would have an effect'],
  ])('nothing by %s, and that is told', (_name, stdout, warning) => {
    expect(outcome('PreToolUse', { stdout })).toEqual({ verdict: 'none' });
    expect(warningsOf('PreToolUse', { stdout })).toEqual([expect.stringContaining(warning)]);
    expect(warningsOf('PreToolUse', { stdout })[0]).toMatch(/^PreToolUse hook \[guard\.sh\]: /);
  });

  describe('an answer that Claude Code drops for a slip', () => {
    const slips: [string, object, string | undefined][] = [
      ['decision: allow', { decision: 'allow' }, '"allow" says nothing'],
      [
        'permissionDecision: approve',
        JSON.parse(decide('approve')),
        '"permissionDecision": "approve" says nothing',
      ],
      [
        'an allow without its event',
        { hookSpecificOutput: { permissionDecision: 'allow' } },
        'what it allows was ignored, its answer does not fit: hookSpecificOutput lacks hookEventName',
      ],
      [
        'an allow beside null',
        { ...JSON.parse(ALLOW), stopReason: null },
        'what it allows was ignored, its answer does not fit: stopReason is null, not string',
      ],
      ['an approval beside null', { decision: 'approve', reason: null }, 'reason is null'],
      ['an approval in two fields', { decision: 'approve', ...JSON.parse(decide('approve')) }, 'approve'],
      ['null', { decision: null, reason: null, stopReason: null, systemMessage: null }, undefined],
      ['null for all of it', { continue: null, hookSpecificOutput: null }, undefined],
      ['null inside', JSON.parse(said('PreToolUse', { permissionDecision: null })), undefined],
      ['an empty decision', { decision: '', reason: '' }, undefined],
    ];
    test.each(slips)('is no opinion: %s', (_name, answer, warning) => {
      const stdout = JSON.stringify(answer);
      expect(outcome('PreToolUse', { stdout })).toEqual({ verdict: 'none' });
      const warnings = warningsOf('PreToolUse', { stdout });
      if (warning === undefined) expect(warnings).toEqual([]);
      else expect(warnings.join()).toContain(warning);
    });

    test.each(slips)('fails with onFailure block, as there: %s', (_name, answer) => {
      const run = { stdout: JSON.stringify(answer) };
      expect(outcome('PreToolUse', run, { onFailure: 'block' }).verdict).toBe('block');
    });

    test.each(slips)(
      'keeps the refusal, the question and the end of the turn beside it: %s',
      (_name, slip) => {
        const { hookSpecificOutput, ...top } = slip as { hookSpecificOutput?: object };
        const specific = (more: object) => ({ hookSpecificOutput: { ...hookSpecificOutput, ...more } });
        const verdictOf = (answer: object) => outcome('PreToolUse', { stdout: JSON.stringify(answer) });
        expect(verdictOf({ ...top, ...specific({ permissionDecision: 'deny' }) }).verdict).toBe('block');
        expect(verdictOf({ ...top, ...specific({ permissionDecision: 'ask' }) }).verdict).toBe('ask');
        expect(verdictOf({ ...slip, decision: 'block' }).verdict).toBe('block');
        expect(verdictOf({ ...slip, continue: false }).stop).toBeDefined();
      },
    );
  });

  test.each<[HookEvent, object]>([
    [
      'UserPromptSubmit',
      {
        decision: null,
        hookSpecificOutput: { hookEventName: 'UserPromptSubmit', permissionDecision: 'deny' },
      },
    ],
    [
      'PreModelRequest',
      {
        reason: null,
        hookSpecificOutput: { hookEventName: 'PreModelRequest', permissionDecision: 'deny' },
      },
    ],
    ['PreToolUse', { decision: null, hookSpecificOutput: { hookEventName: 'PreToolUse', continue: false } }],
    ['PreToolUse', { updatedInput: { command: 'x' }, permissionDecision: 'allow', reason: null }],
    [
      'PermissionRequest',
      {
        decision: { behavior: 'deny' },
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: null },
      },
    ],
    [
      'PreToolUse',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'approve',
          decision: { permissionDecision: 'deny' },
        },
      },
    ],
    ['PreToolUse', { decision: '', reason: 'rm is dangerous' }],
    [
      'PreToolUse',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: null,
          permissionDecisionReason: 'never',
        },
      },
    ],
  ])('is a failure on %s where its author may have refused: %j', (event, answer) => {
    expect(outcome(event, { stdout: JSON.stringify(answer) }).failure).toBeDefined();
  });

  test('a refusal where it belongs counts, whatever slip is beside it', () => {
    const answer = {
      decision: null,
      reason: 'never',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'never',
        decision: null,
      },
    };
    expect(outcome('PreToolUse', { stdout: JSON.stringify(answer) }).verdict).toBe('block');
  });

  test('a denial whose event is null is one', () => {
    const stdout = '{"hookSpecificOutput":{"hookEventName":null,"permissionDecision":"deny"}}';
    expect(outcome('PreToolUse', { stdout }).verdict).toBe('block');
  });

  test('context beside an allow without its event counts', () => {
    const stdout = '{"hookSpecificOutput":{"permissionDecision":"allow","additionalContext":"CTX"}}';
    expect(outcome('PreToolUse', { stdout })).toEqual({ verdict: 'none', additionalContext: 'CTX' });
  });
});

describe('PreToolUse: JSON inside other text', () => {
  test.each([
    ['a banner before it', `Welcome\n${DENY}`],
    ['braces before it', `function f() { return {}; }\n${DENY}`],
    ['a quote before it', `it's 5" long\n${DENY}`],
    ['text after it', `${DENY}\ntrailing`],
    ['colours around it', `\u001b[31m${DENY}\u001b[0m`],
    ['an array around it', `[${DENY}]`],
    ['another object before it', `{"a":1}\n${DENY}`],
    ['an allow before it', `${ALLOW}\n${DENY}`],
  ])('denies with %s', (_name, stdout) => {
    expect(outcome('PreToolUse', { stdout })).toMatchObject({ verdict: 'block', reason: `${ERROR}RSN` });
  });

  test('asks and stops too, with a warning', () => {
    expect(outcome('PreToolUse', { stdout: `x ${ASK}` })).toEqual({ verdict: 'ask', reason: 'RSN' });
    expect(outcome('PreToolUse', { stdout: `x ${STOP}` })).toEqual({
      verdict: 'none',
      stop: { reason: 'enough' },
    });
    expect(warningsOf('PreToolUse', { stdout: `x ${STOP}` })).toEqual([
      expect.stringContaining('stood among other text'),
    ]);
  });

  test.each([
    ['an allow', `The model said ${ALLOW}.`],
    ['a rewrite', `x ${said('PreToolUse', { updatedInput: { command: 'x' } })}`],
    ['a context', `x ${said('PreToolUse', { additionalContext: 'CTX' })}`],
    ['an object inside of an object', `x {"payload":{"decision":"block"}}`],
  ])('says nothing by %s', (_name, stdout) => {
    expect(outcome('PreToolUse', { stdout })).toEqual({ verdict: 'none' });
  });

  test.each([
    ['an allow', 'PreToolUse', `loading\n${ALLOW}`],
    ['a rewrite', 'PreToolUse', `loading\n${said('PreToolUse', { updatedInput: { command: 'x' } })}`],
    ['a context', 'PostToolUse', `x ${said('PostToolUse', { additionalContext: 'CTX' })}`],
    ['an allow', 'PermissionRequest', `x ${said('PermissionRequest', { decision: { behavior: 'allow' } })}`],
  ] as const)('tells that %s was lost on %s', (_name, event, stdout) => {
    expect(warningsOf(event, { stdout })).toEqual([
      expect.stringContaining('what it allowed, rewrote or added was ignored; print the JSON alone'),
    ]);
  });

  test('tells nothing where nothing was lost', () => {
    const context = said('SessionStart', { additionalContext: 'CTX' });
    expect(warningsOf('SessionStart', { stdout: `x ${context}` })).toEqual([]);
    for (const stdout of [
      'x {"decision":"allow"}',
      'x {"a":1}',
      'write "updatedInput" into it',
      'x {"updatedInput":{}}',
    ])
      expect(warningsOf('PreToolUse', { stdout })).toEqual([]);
  });

  test('too many braces to search for what loosens are text as any other', () => {
    const stdout = `x "updatedInput" ${'{"a'.repeat(20_000)}`;
    expect(outcome('PreToolUse', { stdout })).toEqual({ verdict: 'none' });
  });
});

test('keys that are no slips of known ones are passed over', () => {
  const answer = {
    version: 1,
    revision: 2,
    region: 'x',
    context: {},
    person: 'y',
    contains: [],
    message: 'z',
  };
  expect(warningsOf('PreToolUse', { stdout: JSON.stringify(answer) })).toEqual([]);
  const inside = said('PostToolUse', { updatedInputs: {}, retries: 1 });
  expect(warningsOf('PostToolUse', { stdout: inside })).toEqual([]);
});

describe('PreToolUse: text', () => {
  test.each(['', ' \n', 'hello', 'null', '"deny"', '42', 'true', '[1,2]', 'deny {'])(
    '%j at exit 0 is no opinion',
    (stdout) => {
      expect(outcome('PreToolUse', { stdout, stderr: 'noise' })).toEqual({ verdict: 'none' });
      expect(warningsOf('PreToolUse', { stdout, stderr: 'noise' })).toEqual([]);
    },
  );

  test.each([1, 3, 255])('at exit %i is no opinion, and is told loudly', (exit) => {
    expect(outcome('PreToolUse', { exit, stderr: 'BLOCKED\n' })).toEqual({ verdict: 'none' });
    expect(warningsOf('PreToolUse', { exit, stderr: 'BLOCKED\n' })).toEqual([
      `PreToolUse hook [guard.sh]: exit code ${exit} has no effect; exit 2 has: BLOCKED`,
    ]);
  });

  test.each(['continue', undefined] as const)('at exit 1 with onFailure %s is no opinion', (onFailure) => {
    expect(outcome('PreToolUse', { exit: 1 }, { onFailure }).verdict).toBe('none');
  });

  test.each([1, 3])('at exit %i with onFailure ask asks: whoever wrote it means a crash, too', (exit) => {
    const expected = {
      verdict: 'ask',
      reason: `[guard.sh]: failed; asking because onFailure is "ask" (exit code ${exit})\nERR`,
      failure: failedAs(`exit code ${exit}`, 'ask'),
    };
    for (const stdout of ['', ALLOW])
      expect(outcome('PreToolUse', { exit, stderr: 'ERR\n', stdout }, { onFailure: 'ask' })).toMatchObject(
        expected,
      );
    expect(outcome('PreToolUse', { exit, stdout: DENY }, { onFailure: 'ask' }).verdict).toBe('block');
    // Where it cannot be asked it amounts to `continue`.
    expect(outcome('PostToolUse', { exit }, { onFailure: 'ask' }).verdict).toBe('none');
  });

  test('at exit 1 with onFailure block denies, an allow beside it or not', () => {
    const expected = {
      verdict: 'block',
      reason: `${ERROR}[guard.sh]: failed; blocking because onFailure is "block" (exit code 1)\nERR`,
      failure: failedAs('exit code 1', 'block'),
    };
    expect(outcome('PreToolUse', { exit: 1, stderr: 'ERR\n' }, { onFailure: 'block' })).toEqual(expected);
    expect(
      outcome('PreToolUse', { exit: 1, stderr: 'ERR\n', stdout: ALLOW }, { onFailure: 'block' }),
    ).toEqual(expected);
  });
});

describe('PreToolUse: a hook that failed', () => {
  const failures: [string, Partial<HookRun> & { exit?: number }, string][] = [
    ['exit 126', { exit: 126 }, 'exit code 126: it may not be executed'],
    ['exit 127', { exit: 127 }, 'exit code 127: something was not found'],
    ['a signal', { end: { kind: 'signalled', signal: 'SIGSEGV' } }, 'it was ended by SIGSEGV'],
    [
      'no start',
      { end: { kind: 'notStarted', message: 'x was not found on the PATH' } },
      'x was not found on the PATH',
    ],
    ['an interruption', { end: { kind: 'interrupted' } }, 'it was interrupted'],
    ['too much output', { truncated: true }, 'it wrote more than a hook may'],
    ['too much output at exit 1', { exit: 1, truncated: true }, 'it wrote more than a hook may'],
    ['an allow in too much output', { truncated: true, stdout: ALLOW }, 'it wrote more than a hook may'],
    ['half an object', { stdout: '{"a":' }, 'its answer is not one JSON object'],
    ['half an object at exit 1', { exit: 1, stdout: '{"a":' }, 'its answer is not one JSON object'],
    ['a comma too many', { stdout: '{"a":1,}' }, 'its answer is not one JSON object'],
    ['two objects', { stdout: `${ALLOW}${ALLOW}` }, 'its answer is not one JSON object'],
    ['text after an allow', { stdout: `${ALLOW} ok` }, 'its answer is not one JSON object'],
    ['a NUL in a string', { stdout: ALLOW.replace('RSN', 'a\0b') }, 'its answer is not one JSON object'],
    [
      'no event’s name',
      { stdout: '{"hookSpecificOutput":{"additionalContext":"CTX"}}' },
      'its answer does not fit: hookSpecificOutput lacks hookEventName',
    ],
    [
      'another event’s name',
      { stdout: said('PostToolUse', { permissionDecision: 'deny' }) },
      'its answer does not fit: hookSpecificOutput.hookEventName is "PostToolUse", not "PreToolUse"',
    ],
    [
      'an unknown decision',
      { stdout: decide('Deny') },
      'its answer does not fit: hookSpecificOutput.permissionDecision is "Deny", not one of "allow", "deny", "ask", "defer"',
    ],
    [
      'a number as decision',
      { stdout: '{"decision":42}' },
      'its answer does not fit: decision is 42, not one of "approve", "block"',
    ],
    [
      'a word that may refuse, beside null',
      { stdout: decide('reject', { permissionDecisionReason: null }) },
      'its answer does not fit: hookSpecificOutput.permissionDecision is "reject", not one of "allow", "deny", "ask", "defer"',
    ],
    [
      'an allow without its event beside a refusal in the wrong place',
      { stdout: '{"hookSpecificOutput":{"permissionDecision":"allow","decision":{"behavior":"block"}}}' },
      'its answer does not fit: hookSpecificOutput lacks hookEventName',
    ],
    [
      'an allow of another event',
      { stdout: said('PostToolUse', { permissionDecision: 'allow' }) },
      'its answer does not fit: hookSpecificOutput.hookEventName is "PostToolUse", not "PreToolUse"',
    ],
    [
      'approve beside a rewrite',
      { stdout: decide('approve', { updatedInput: { command: 'x' } }) },
      'its answer does not fit: hookSpecificOutput.permissionDecision is "approve", not one of "allow", "deny", "ask", "defer"',
    ],
    [
      'an allow without its event beside a rewrite',
      { stdout: '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{}}}' },
      'its answer does not fit: hookSpecificOutput lacks hookEventName',
    ],
    [
      'a null beside a rewrite',
      { stdout: decide('allow', { permissionDecisionReason: null, updatedInput: {} }) },
      'its answer does not fit: hookSpecificOutput.permissionDecisionReason is null, not string',
    ],
    [
      'text as continue',
      { stdout: '{"continue":"false"}' },
      'its answer does not fit: continue is "false", not boolean',
    ],
    [
      'a number as reason',
      { stdout: '{"decision":"approve","reason":5}' },
      'its answer does not fit: reason is 5, not string',
    ],
    [
      'text as updatedInput',
      { stdout: decide('allow', { updatedInput: 'echo' }) },
      'its answer does not fit: hookSpecificOutput.updatedInput is "echo", not object',
    ],
    [
      'a list as updatedInput',
      { stdout: decide('allow', { updatedInput: [] }) },
      'its answer does not fit: hookSpecificOutput.updatedInput is [], not object',
    ],
  ];
  test.each(failures)('asks a person: %s', (_name, run, what) => {
    expect(outcome('PreToolUse', run)).toEqual({
      verdict: 'ask',
      reason: asking(`failed; asking because onFailure is "ask" (${what})`),
      failure: failedAs(what, 'ask'),
    });
  });
  test.each(failures)('denies with onFailure block: %s', (_name, run, what) => {
    expect(outcome('PreToolUse', { ...run, stderr: 'ERR\n' }, { onFailure: 'block' })).toEqual({
      verdict: 'block',
      reason: ERROR + asking(`failed; blocking because onFailure is "block" (${what})`, 'ERR'),
      failure: failedAs(what, 'block'),
    });
  });
  test.each(failures)('goes on with onFailure continue, and says so: %s', (_name, run, what) => {
    const of = commandHook('guard.sh', { onFailure: 'continue' });
    const { warnings, ...rest } = readOutcome(
      'PreToolUse',
      ran('PreToolUse', { ...run, hook: of, stderr: 'ERR\n' }),
    );
    expect(rest).toEqual({ verdict: 'none', failure: failedAs(what, 'continue') });
    expect(warnings[0]).toBe(`PreToolUse hook [guard.sh]: failed (${what}); it has no say: ERR`);
  });

  test('a time-out has words of its own', () => {
    expect(outcome('PreToolUse', { end: { kind: 'timedOut' } }, { onFailure: 'block' }).reason).toBe(
      `${ERROR}[guard.sh]: timed out; blocking because onFailure is "block"\nNo stderr output`,
    );
  });

  test.each([
    ['no event’s name', '{"hookSpecificOutput":{"permissionDecision":"deny"}}'],
    ['a reason that is a number', '{"decision":"block","reason":5}'],
    ['a word of another field', '{"decision":"deny"}'],
  ])('a denial with %s is still one', (_name, stdout) => {
    expect(outcome('PreToolUse', { stdout })).toMatchObject({
      verdict: 'block',
      reason: `${ERROR}Blocked by hook: [guard.sh]`,
    });
  });

  test('a handler that is not supported counts as one', () => {
    const of = hook({ type: 'unsupported', name: 'prompt' });
    const end = { kind: 'notStarted', message: 'handlers of type "prompt" are not supported' } as const;
    expect(readOutcome('PreToolUse', ran('PreToolUse', { hook: of, end }))).toMatchObject({
      verdict: 'ask',
      failure: { became: 'ask' },
    });
  });
});

describe('other events: exit 2 with stderr', () => {
  test.each([
    [
      'PostToolUse',
      {
        verdict: 'block',
        reason: 'PostToolUse:Bash hook blocking error from command: "guard.sh": [guard.sh]: ERR',
      },
    ],
    [
      'PostToolUseFailure',
      {
        verdict: 'block',
        reason: 'PostToolUseFailure:Bash hook blocking error from command: "guard.sh": [guard.sh]: ERR',
      },
    ],
    ['PostToolBatch', { verdict: 'block', reason: '[guard.sh]: ERR', stop: { reason: '[guard.sh]: ERR' } }],
    ['UserPromptSubmit', { verdict: 'block', reason: '[guard.sh]: ERR' }],
    ['PreModelRequest', { verdict: 'block', reason: '[guard.sh]: ERR' }],
    [
      'PostModelResponse',
      { verdict: 'block', reason: '[guard.sh]: ERR', stop: { reason: '[guard.sh]: ERR' } },
    ],
    ['Stop', { verdict: 'block', reason: 'Stop hook feedback:\n[guard.sh]: ERR' }],
    ['PreCompact', { verdict: 'block', reason: '[guard.sh]: ERR' }],
    ['ConfigChange', { verdict: 'block', reason: '[guard.sh]: ERR' }],
    ['PermissionRequest', { verdict: 'none' }],
    ['PermissionDenied', { verdict: 'none' }],
    ['StopFailure', { verdict: 'none' }],
    ['PostCompact', { verdict: 'none' }],
    ['SessionStart', { verdict: 'none' }],
    ['SessionEnd', { verdict: 'none' }],
    ['Notification', { verdict: 'none' }],
  ] as const)('%s', (event, expected) => {
    const subject = event === 'Stop' ? undefined : 'Bash';
    const { warnings, ...rest } = readOutcome(event, ran(event, { exit: 2, stderr: 'ERR\n' }), subject);
    expect(rest).toEqual(expected);
    if (expected.verdict === 'none')
      expect(warnings).toEqual([`${event} hook [guard.sh]: exit code 2 has no effect on ${event}: ERR`]);
  });
});

describe('other events: a failed hook', () => {
  const became = (event: HookEvent, onFailure: OnFailure | undefined) =>
    outcome(event, { exit: 127 }, { onFailure }).failure?.became;
  test.each([
    ['UserPromptSubmit', 'ask', 'ask', 'block'],
    ['PreModelRequest', 'ask', 'ask', 'block'],
    ['PermissionRequest', 'continue', 'ask', 'block'],
    ['PostToolUse', 'continue', 'continue', 'block'],
    ['PostToolUseFailure', 'continue', 'continue', 'block'],
    ['PostToolBatch', 'continue', 'continue', 'block'],
    ['PreCompact', 'continue', 'continue', 'block'],
    ['ConfigChange', 'continue', 'continue', 'block'],
    ['Stop', 'continue', 'continue', 'continue'],
    ['SessionStart', 'continue', 'continue', 'continue'],
    ['SessionEnd', 'continue', 'continue', 'continue'],
    ['Notification', 'continue', 'continue', 'continue'],
  ] as const)('%s: by default %s; with ask %s; with block %s', (event, byDefault, ask, block) => {
    expect([became(event, undefined), became(event, 'ask'), became(event, 'block')]).toEqual([
      byDefault,
      ask,
      block,
    ]);
  });

  test('exit 1 of Stop with onFailure block ends the turn all the same', () => {
    expect(outcome('Stop', { exit: 1 }, { onFailure: 'block' })).toEqual({ verdict: 'none' });
  });

  test('exit 1 of PostToolBatch with onFailure block ends the turn', () => {
    expect(outcome('PostToolBatch', { exit: 1 }, { onFailure: 'block' })).toMatchObject({
      verdict: 'block',
      stop: {},
    });
  });
});

describe('other events: answers', () => {
  test.each([
    ['UserPromptSubmit', '{"decision":"block","reason":"R"}', { verdict: 'block', reason: 'R' }],
    ['UserPromptSubmit', '{"decision":"block"}', { verdict: 'block', reason: 'Blocked by hook: [guard.sh]' }],
    ['UserPromptSubmit', STOP, { verdict: 'none', stop: { reason: 'enough' } }],
    [
      'UserPromptSubmit',
      said('UserPromptSubmit', { additionalContext: 'CTX' }),
      { verdict: 'none', additionalContext: 'CTX' },
    ],
    ['UserPromptSubmit', '{"decision":"approve"}', { verdict: 'none' }],
    [
      'PostToolUse',
      '{"decision":"block","reason":"R"}',
      { verdict: 'block', reason: 'PostToolUse:Bash hook blocking error from command: "guard.sh": R' },
    ],
    [
      'PostToolUse',
      said('PostToolUse', { updatedToolOutput: { stdout: 'x' } }),
      { verdict: 'none', updatedToolOutput: { stdout: 'x' } },
    ],
    [
      'PostToolUse',
      said('PostToolUse', { updatedToolOutput: 'x', additionalContext: 'C' }),
      { verdict: 'none', updatedToolOutput: 'x', additionalContext: 'C' },
    ],
    ['PostToolUse', STOP, { verdict: 'none', stop: { reason: 'enough' } }],
    ['PostToolUse', said('PostToolUse', { permissionDecision: 'deny' }), { verdict: 'none' }],
    ['PostToolUseFailure', STOP, { verdict: 'none' }],
    ['PostToolUseFailure', said('PostToolUseFailure', { updatedToolOutput: 'x' }), { verdict: 'none' }],
    [
      'PostToolBatch',
      '{"decision":"block","reason":"R"}',
      { verdict: 'block', reason: 'R', stop: { reason: 'R' } },
    ],
    ['PostToolBatch', STOP, { verdict: 'none', stop: { reason: 'enough' } }],
    [
      'Stop',
      '{"decision":"block","reason":"R"}',
      { verdict: 'block', reason: 'Stop:Bash hook feedback:\nR' },
    ],
    ['Stop', '{"decision":"block","reason":"R","continue":false}', { verdict: 'none', stop: {} }],
    ['Stop', '{"continue":true}', { verdict: 'none' }],
    ['Stop', said('Stop', { additionalContext: 'KEEP' }), { verdict: 'none', additionalContext: 'KEEP' }],
    [
      'Stop',
      '{"decision":"deny"}',
      { verdict: 'none', failure: { what: expect.any(String), became: 'continue' } },
    ],
    [
      'Stop',
      DENY,
      {
        verdict: 'none',
        failure: { what: expect.stringContaining('"PreToolUse", not "Stop"'), became: 'continue' },
      },
    ],
    [
      'SessionStart',
      said('SessionStart', { additionalContext: 'CTX' }),
      { verdict: 'none', additionalContext: 'CTX' },
    ],
    ['SessionStart', STOP, { verdict: 'none' }],
    ['SessionStart', '{"decision":"block","reason":"R"}', { verdict: 'none' }],
    ['PreCompact', '{"decision":"block","reason":"R"}', { verdict: 'block', reason: 'R' }],
    ['ConfigChange', '{"decision":"block","reason":"R"}', { verdict: 'block', reason: 'R' }],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'allow' } }),
      { verdict: 'allow' },
    ],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { a: 1 } } }),
      { verdict: 'allow', updatedInput: { a: 1 } },
    ],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'deny', message: 'M', interrupt: true } }),
      { verdict: 'block', reason: 'M', interrupt: true },
    ],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'deny' } }),
      { verdict: 'block', reason: 'Blocked by hook: [guard.sh]' },
    ],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'maybe' } }),
      { verdict: 'none', failure: { what: expect.stringContaining('behavior'), became: 'continue' } },
    ],
    ['PermissionRequest', said('PermissionRequest', { permissionDecision: 'allow' }), { verdict: 'none' }],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'allow', message: null } }),
      { verdict: 'none' },
    ],
    [
      'PermissionRequest',
      said('PermissionRequest', { decision: { behavior: 'deny', message: null, interrupt: null } }),
      { verdict: 'block', reason: 'Blocked by hook: [guard.sh]' },
    ],
    ['UserPromptSubmit', '{"decision":null,"reason":null}', { verdict: 'none' }],
    [
      'UserPromptSubmit',
      '{"decision":"block","reason":null}',
      { verdict: 'block', reason: 'Blocked by hook: [guard.sh]' },
    ],
    ['UserPromptSubmit', '{"hookSpecificOutput":{"permissionDecision":"allow"}}', { verdict: 'none' }],
    [
      'PermissionRequest',
      ALLOW,
      { verdict: 'none', failure: { what: expect.any(String), became: 'continue' } },
    ],
  ] as const)('%s: %s', (event, stdout, expected) => {
    expect(outcome(event, { stdout })).toEqual(expected);
  });

  test.each([
    ['PermissionRequest', '{"decision":{"behavior":"deny"}}', 'as {"behavior": …}'],
    ['PermissionRequest', '{"decision":"block"}', 'as {"behavior": …}'],
    ['PermissionRequest', said('PermissionRequest', { behavior: 'deny' }), '"behavior" was ignored'],
    ['PermissionRequest', said('PermissionRequest', { updatedInput: {} }), '"updatedInput" was ignored'],
    ['PermissionRequest', said('PermissionRequest', { permissionDecision: 'deny' }), 'no effect on'],
    ['PostToolUse', said('PostToolUse', { permissionDecision: 'deny' }), 'no effect on PostToolUse'],
    ['PostToolUse', said('PostToolUse', { decision: 'block' }), '"decision": "block" at the top has'],
    ['SessionStart', said('SessionStart', { decision: 'block' }), 'on PermissionRequest only'],
    ['SessionStart', '{"decision":{"behavior":"deny"}}', 'no effect on SessionStart'],
  ] as const)('%s: a key in the wrong place is told: %s', (event, stdout, warning) => {
    expect(outcome(event, { stdout })).toEqual({ verdict: 'none' });
    expect(warningsOf(event, { stdout })).toEqual([expect.stringContaining(warning)]);
  });

  test('a PermissionRequest that denies at exit 1 denies; one that allows does not allow', () => {
    const answer = (behavior: string) => said('PermissionRequest', { decision: { behavior, message: 'M' } });
    expect(outcome('PermissionRequest', { exit: 1, stdout: answer('deny') })).toEqual({
      verdict: 'block',
      reason: 'M',
    });
    expect(outcome('PermissionRequest', { exit: 2, stdout: answer('allow') })).toEqual({ verdict: 'none' });
  });

  describe('a replaced output', () => {
    const stdout = said('PostToolUse', { updatedToolOutput: 'x' });

    test.each([
      ...[1, 2, 3, 126].map((code) => ({ kind: 'exited', code }) as const),
      { kind: 'signalled', signal: 'SIGKILL' },
      { kind: 'timedOut' },
    ] as const)('counts however the hook ends: %j', (end) => {
      expect(outcome('PostToolUse', { end, stdout })).toMatchObject({ updatedToolOutput: 'x' });
    });

    test.each([
      ['after other text', `debug\n${stdout}`],
      ['before other text', `${stdout}\ndone`],
      ['twice', `${stdout}\n${stdout}`],
      ['beside a refusal in other text', `{"decision":"block","reason":"R"} and\n${stdout}`],
    ])('%s hides the output, and puts nothing in its place', (_name, mixed) => {
      expect(outcome('PostToolUse', { stdout: mixed })).toMatchObject({ updatedToolOutput: null });
    });

    test('hides by null, whatever else is null', () => {
      const nulls = JSON.stringify({
        ...JSON.parse(said('PostToolUse', { updatedToolOutput: null, additionalContext: null })),
        reason: null,
      });
      expect(outcome('PostToolUse', { stdout: nulls })).toEqual({ verdict: 'none', updatedToolOutput: null });
    });

    test('counts in an answer of which something else does not fit', () => {
      const misfit = stdout.replace('{', '{"systemMessage":5,');
      expect(outcome('PostToolUse', { stdout: misfit })).toMatchObject({ updatedToolOutput: 'x' });
    });

    test('is none on other events', () => {
      const text = said('PreToolUse', { updatedToolOutput: 'x' });
      expect(outcome('PreToolUse', { exit: 1, stdout: `debug ${text}` })).toEqual({ verdict: 'none' });
    });
  });

  test.each(['SessionStart', 'UserPromptSubmit', 'PreCompact'] as const)(
    '%s: plain text is context, at exit 0 only',
    (event) => {
      expect(outcome(event, { stdout: 'hello\nthere\n' })).toEqual({
        verdict: 'none',
        additionalContext: 'hello\nthere',
      });
      expect(outcome(event, { exit: 1, stdout: 'hello' })).toEqual({ verdict: 'none' });
      expect(outcome(event, { stdout: 'hi\n{"a":1}' })).toEqual({
        verdict: 'none',
        additionalContext: 'hi\n{"a":1}',
      });
    },
  );

  test('SessionStart: context in JSON counts at any exit code', () => {
    const stdout = said('SessionStart', { additionalContext: 'CTX' });
    expect([1, 2].map((exit) => outcome('SessionStart', { exit, stdout }).additionalContext)).toEqual([
      'CTX',
      'CTX',
    ]);
  });

  test('UserPromptSubmit: text that looks like JSON is never context', () => {
    expect(outcome('UserPromptSubmit', { stdout: '{"decision":7}' })).toMatchObject({ verdict: 'ask' });
    expect(outcome('UserPromptSubmit', { stdout: '{"decision":7}' }).additionalContext).toBeUndefined();
  });

  test.each(Object.keys(HOOK_EVENTS) as HookEvent[])(
    '%s: silence and {} say nothing, without a warning',
    (event) => {
      for (const stdout of ['', '{}', '{"continue":true}', '{"suppressOutput":true}'])
        expect(readOutcome(event, ran(event, { stdout }))).toEqual({ verdict: 'none', warnings: [] });
    },
  );
});

describe('http', () => {
  const of = (onFailure?: OnFailure) =>
    hook({ type: 'http', url: 'http://127.0.0.1/', headers: {}, allowedEnvVars: [] }, { onFailure });
  const answered = (stdout: string, onFailure?: OnFailure) =>
    readOutcome('PreToolUse', ran('PreToolUse', { hook: of(onFailure), stdout }));

  test('a body is read like stdout', () => {
    expect(answered(DENY)).toMatchObject({ verdict: 'block', reason: 'PreToolUse hook error: RSN' });
    expect(answered('')).toEqual({ verdict: 'none', warnings: [] });
    expect(answered('{bad')).toMatchObject({ verdict: 'ask' });
  });

  test('a body that is text says nothing, which is told; with onFailure block it denies, with ask it asks', () => {
    expect(answered('plain text')).toEqual({
      verdict: 'none',
      warnings: [expect.stringContaining('not a JSON object')],
    });
    expect(answered('plain text', 'block').verdict).toBe('block');
    expect(answered('plain text', 'ask').verdict).toBe('ask');
  });

  test('a body that is text is never context', () => {
    expect(
      readOutcome('UserPromptSubmit', ran('UserPromptSubmit', { hook: of(), stdout: '<html>' }))
        .additionalContext,
    ).toBeUndefined();
  });

  test('an answer that is none asks, unless its body denies', () => {
    const end = { kind: 'notStarted', message: 'the answer has status 403' } as const;
    expect(readOutcome('PreToolUse', ran('PreToolUse', { hook: of(), end }))).toMatchObject({
      verdict: 'ask',
    });
    expect(readOutcome('PreToolUse', ran('PreToolUse', { hook: of(), end, stdout: ALLOW }))).toMatchObject({
      verdict: 'ask',
    });
    expect(readOutcome('PreToolUse', ran('PreToolUse', { hook: of(), end, stdout: DENY }))).toMatchObject({
      verdict: 'block',
    });
  });
});
