/** `audit verify` and `audit tail` on what may lie in the audit directory. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { Trail } from '../../src/audit/trail.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { tailCommand } from '../../src/cli/audit-tail.ts';
import { verifyCommand } from '../../src/cli/audit-verify.ts';
import type { Output } from '../../src/cli/output.ts';

async function freshAudit() {
  const audit = join(mkdtempSync(join(tmpdir(), 'hookd-commands-')), 'audit');
  const trail = new Trail(AuditWriter.create(join(audit, 'a')));
  trail.record('prompt', { text: 'one' });
  trail.record('prompt', { text: 'two' });
  await trail.close();
  return { audit, chain: join(audit, 'a'), file: join(audit, 'a', '000001.jsonl'), head: trail.head.hash };
}

function listening() {
  const said: string[] = [];
  const noted: string[] = [];
  const output: Output = {
    result: (line) => void said.push(line),
    modelText: () => undefined,
    note: (line) => void noted.push(line),
    progress: () => undefined,
    colours: picocolors.createColors(false),
    isClosed: () => false,
  };
  return { said, noted, output };
}

function verify(path: string, options: { all?: boolean; head?: string } = {}) {
  const { said, output } = listening();
  const code = verifyCommand({ path, all: options.all ?? false, head: options.head, json: false }, output);
  return { code, said };
}

describe('audit verify', () => {
  it('looks at all chains, whatever lies beside them', async () => {
    const { audit, file } = await freshAudit();
    const loose = join(audit, '000001.jsonl');
    copyFileSync(file, loose);
    for (const all of [true, false])
      expect(verify(audit, { all })).toEqual({
        code: 1,
        said: [`FAULT  ${loose} lies outside of every chain`, 'The audit log is NOT sound.'],
      });
  });

  it('does not take a lone segment in the audit directory for the whole log', async () => {
    const { file } = await freshAudit();
    const audit = mkdtempSync(join(tmpdir(), 'hookd-commands-'));
    copyFileSync(file, join(audit, '000001.jsonl'));
    expect(verify(audit, { all: true }).code).toBe(1);
  });

  it('takes a linked chain for a fault, and what file systems put there for a note', async () => {
    const { audit, chain } = await freshAudit();
    mkdirSync(join(audit, 'lost+found'));
    writeFileSync(join(audit, '.DS_Store'), '');
    writeFileSync(join(audit, 'README'), '');
    mkdirSync(join(audit, 'begun'));
    writeFileSync(join(chain, '000001.jsonl.old'), '');
    const sound = verify(audit);
    expect(sound.code).toBe(0);
    expect(sound.said.filter((line) => line.startsWith('note '))).toHaveLength(5);
    expect(sound.said.at(-1)).toMatch(/^ok {5}2 records in 1 chain, all sound/);
    symlinkSync('/tmp', join(audit, 'linked'));
    expect(verify(audit)).toMatchObject({
      code: 1,
      said: expect.arrayContaining([`FAULT  ${join(audit, 'linked')} is a link; a chain lies here itself`]),
    });
  });

  it.each<[string, (file: string) => unknown]>([
    ['an empty directory', (file) => execFileSync('rm', [file])],
    ['an empty file', (file) => truncateSync(file, 0)],
    ['a file without a line end', (file) => writeFileSync(file, 'half a line')],
  ])('says that there is nothing to verify in %s', async (_, make) => {
    const { audit, chain, file } = await freshAudit();
    make(file);
    for (const path of [audit, chain]) {
      const { code, said } = verify(path);
      expect({ code, last: said.at(-1) }).toEqual({
        code: 1,
        last: `There is nothing to verify: no record in ${path}.`,
      });
    }
  });

  it('names what is no regular file instead of waiting for it', async () => {
    const { audit, chain } = await freshAudit();
    execFileSync('mkfifo', [join(chain, '000002.jsonl')]);
    const fault = `FAULT  ${join(chain, '000002.jsonl')} cannot be read: it is not a regular file`;
    expect(verify(audit)).toMatchObject({ code: 1, said: [fault, 'The audit log is NOT sound.'] });
    expect(verify(join(chain, '000002.jsonl')).code).toBe(1);
  });

  it('finds a kept head, and says what it means when it does not', async () => {
    const { audit, file, head } = await freshAudit();
    expect(verify(audit, { head })).toMatchObject({
      code: 0,
      said: [`ok     the head ${head} is there`, expect.anything()],
    });
    const other = 'f'.repeat(64);
    expect(verify(file, { head: other }).said[0]).toBe(
      `FAULT  no chain holds the head ${other}: its end was cut or written anew`,
    );
  });

  it('shows a path with control characters as text', async () => {
    const { audit } = await freshAudit();
    writeFileSync(join(audit, 'a\u001b[2Jb'), '');
    expect(verify(audit).said[0]).toContain('a\\u001b[2Jb');
  });
});

describe('audit tail', () => {
  const tail = (auditDirectory: string, count: number) => {
    const { said, noted, output } = listening();
    const { signal } = new AbortController();
    return tailCommand({ auditDirectory, count, follow: false, json: true, signal }, output).then(() => ({
      texts: said.map((line) => (JSON.parse(line) as { text: string }).text),
      noted,
    }));
  };

  it.each([-5, 1.5, Number.NaN])('refuses to show %s records', async (count) => {
    const { audit } = await freshAudit();
    await expect(tail(audit, count)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('shows what it can read, and names once what it cannot', async () => {
    const { audit } = await freshAudit();
    mkdirSync(join(audit, 'b'));
    const fifo = join(audit, 'b', '000001.jsonl');
    execFileSync('mkfifo', [fifo]);
    expect(await tail(audit, 20)).toEqual({
      texts: ['one', 'two'],
      noted: [`hookd: ${fifo} cannot be read: it is not a regular file`],
    });
    expect((await tail(audit, 1)).texts).toEqual(['two']);
  });
});
