/** `hookd settings …`, as somebody uses it who edits settings all day. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hookd, makeWorkspace } from '../support/hookd.ts';

const ROOT = join(import.meta.dirname, '../..');

it('settings schema prints the schema that the docs hold', async () => {
  const { code, stdout } = await hookd(makeWorkspace(), ['settings', 'schema']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: readFileSync(join(ROOT, 'docs/settings.schema.json'), 'utf8'),
  });
});
