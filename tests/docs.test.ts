/** What the documents say is there, is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECORDS } from '../src/audit/record.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
];

describe('the documents', () => {
  it('link to pages that exist', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((match) =>
        join(dirname(page), match[1] ?? ''),
      ),
    );
    expect(links.length).toBeGreaterThan(6);
    expect(links.filter((link) => !existsSync(join(ROOT, link)))).toEqual([]);
  });

  it('name source files that exist', () => {
    const named = ['docs/ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) =>
      [...read(page).matchAll(/`((?:src|tests|scripts)\/[a-z/.-]+\.ts)`/g)].map((match) => match[1] ?? ''),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('explain every kind of record', () => {
    const page = read('docs/audit.md');
    const kinds = [...Object.keys(RECORDS), 'segment_started'];
    expect(kinds.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
  });

  it('keep their promised size', () => {
    expect(read('README.md').split('\n').length).toBeLessThan(100);
    expect(read('docs/ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(250);
  });
});
