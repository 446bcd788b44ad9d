/** A save that breaks a settings file at any byte never loosens what is in force. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseTree } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { type LoadedSettings, loadSettings } from '../../src/settings/load.ts';
import type { SettingsOrigin } from '../../src/settings/origin.ts';
import { rowsIn } from '../conformance/rows.ts';
import { Random } from '../support/random.ts';

const SEED = 20_261_130;
const FILES = 12;
const FLIPS = 500;
const LONGEST = 1200;

const origin: SettingsOrigin = {
  ...{ scope: 'user', dialect: 'hookd', isTrusted: true },
  ...{ file: '/home/me/.hookd/settings.json', root: '/home/me/.hookd' },
};

const load = (bytes: Uint8Array) => loadSettings(origin, bytes, 'running');

/** Settings with the rules of conformance rows, and with what else guards. */
function samples(random: Random): readonly string[] {
  const rows = rowsIn(readFileSync(join(import.meta.dirname, '../conformance/permissions.jsonl'), 'utf8'));
  const lists = [
    ...new Set(rows.flatMap(({ rules }) => (rules === undefined ? [] : [JSON.stringify(rules)]))),
  ];
  const found: string[] = [];
  while (found.length < FILES) {
    const rules = JSON.parse(lists[random.below(lists.length)] ?? '{}') as object;
    const guard = { type: 'command', command: './guard', timeout: 5, onFailure: 'block' };
    const settings = {
      permissions: { ...rules, defaultMode: 'plan', disableBypassPermissionsMode: 'disable' },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [guard] }], Stop: [{ hooks: [guard] }] },
    };
    const text = JSON.stringify(settings, null, found.length % 2 === 0 ? 2 : 0);
    const hasRules = /"(?:deny|ask)":/.test(text);
    if (hasRules && text.length <= LONGEST && load(Buffer.from(text)).ok) found.push(text);
  }
  return found;
}

/** What the file stops, as lines; what is in them and not in others was lost. */
function guardsOf({ rules, hooks, values }: LoadedSettings): readonly string[] {
  const guards = [
    ...rules
      .filter(({ source }) => source.list !== 'allow')
      .map(({ source }) => `${source.list} ${source.text}`),
    ...hooks.map(
      ({ event, handler }) => `${event} ${handler.type === 'command' ? handler.command : 'failing'}`,
    ),
  ];
  return [...guards, ...(values.forbidsBypass === true ? ['no bypass'] : [])];
}

function rightsOf({ rules, values }: LoadedSettings): readonly string[] {
  const allows = rules.filter(({ source }) => source.list === 'allow').map(({ source }) => source.text);
  return [...allows, ...(values.mode === 'plan' ? [] : [`mode ${values.mode}`])];
}

/** What a broken text loosens of the good one; nothing when it is refused. */
function loosened(good: LoadedSettings, bytes: Uint8Array): readonly string[] {
  const result = load(bytes);
  if (!result.ok) return [];
  const [guards, rights] = [new Set(guardsOf(result.loaded)), new Set(rightsOf(good))];
  return [
    ...guardsOf(good)
      .filter((guard) => !guards.has(guard))
      .map((guard) => `lost ${guard}`),
    ...rightsOf(result.loaded)
      .filter((right) => !rights.has(right))
      .map((right) => `gained ${right}`),
  ];
}

function goodOnes(random: Random) {
  return samples(random).map((text) => {
    const result = load(Buffer.from(text));
    if (!result.ok) throw new Error('a sample must load');
    return { text, good: result.loaded };
  });
}

test('a file that is cut off at any byte loosens nothing', () => {
  let refused = 0;
  let all = 0;
  for (const { text, good } of goodOnes(new Random(SEED))) {
    const bytes = Buffer.from(text);
    for (let end = 0; end < bytes.length; end++) {
      const cut = bytes.subarray(0, end);
      all += 1;
      if (!load(cut).ok) refused += 1;
      else expect(loosened(good, cut), `cut at ${end}: ${text}`).toEqual([]);
    }
  }
  // An object that is cut off is none.
  expect({ refused, isMany: all > 1000 }).toEqual({ refused: all, isMany: true });
});

/** Where a changed character changes a rule, or which program a hook is: that is another policy, not a broken one. */
function meantTexts(node: Node | undefined): readonly (readonly [number, number])[] {
  if (node === undefined) return [];
  const isValue = node.parent?.type === 'array' || node.parent?.children?.[1] === node;
  const key: unknown = node.parent?.type === 'property' ? node.parent.children?.[0]?.value : undefined;
  const isMeant = node.type === 'string' && isValue && key !== 'defaultMode' && key !== 'type';
  if (isMeant) return [[node.offset + 1, node.offset + node.length - 1]];
  return (node.children ?? []).flatMap(meantTexts);
}

const REPLACEMENTS = [...'{}[],:"\'\\ \n\t/0159aednXZ_-.*$\u0000\u00e9\ufffd'];

test('a character that is changed outside the texts of rules loosens nothing', () => {
  const random = new Random(SEED + 1);
  let taken = 0;
  for (const { text, good } of goodOnes(random)) {
    const meant = meantTexts(parseTree(text));
    for (let flip = 0; flip < FLIPS; flip++) {
      const at = random.below(text.length);
      if (meant.some(([from, to]) => at >= from && at < to)) continue;
      const broken = `${text.slice(0, at)}${REPLACEMENTS[random.below(REPLACEMENTS.length)]}${text.slice(at + 1)}`;
      if (broken === text) continue;
      taken += 1;
      expect(loosened(good, Buffer.from(broken)), broken).toEqual([]);
    }
  }
  expect(taken).toBeGreaterThan(1000);
});

test('a key that a single changed character makes of "deny" or "ask" is never passed over', () => {
  const characters = [...Array(0x250).keys(), 0x2028, 0xfffd].map((code) => String.fromCharCode(code));
  for (const list of ['deny', 'ask']) {
    const text = `{"permissions":{"${list}":["Read(.env)"],"allow":[]}}`;
    const result = load(Buffer.from(text));
    if (!result.ok) throw new Error('the sample must load');
    const start = text.indexOf(list);
    for (let at = start; at < start + list.length; at++) {
      for (const character of characters) {
        const broken = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        expect(loosened(result.loaded, Buffer.from(broken)), broken).toEqual([]);
      }
    }
  }
});
