import { expect, test } from 'vitest';
import type { Behavior, JsonObject } from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { compileDomain, hostOf, matchesDomain } from '../../src/permissions/domain-rule.ts';
import { callElsewhere } from '../../src/tools/elsewhere.ts';
import { FILES, permissionsOf, type RuleTexts, WORKPLACE } from './scene.ts';

const matches = (domain: string, address: string): boolean => {
  const pattern = compileDomain(domain);
  const host = hostOf(address);
  if (pattern === undefined || host === undefined) throw new Error('neither pattern nor host');
  return matchesDomain(pattern, host);
};

const fetched = (rules: RuleTexts, url: string, more: JsonObject = {}): Behavior =>
  decide({
    permissions: permissionsOf(rules),
    call: callElsewhere('WebFetch', { url, prompt: 'x', ...more }, WORKPLACE),
    files: FILES,
  }).behavior;

test.each([
  ['a.example', 'https://a.example/'],
  ['a.example', 'http://A.EXAMPLE:8443/path?q#f'],
  ['A.Example.', 'https://a.example./'],
  ['a.example', 'https://user:word@a.example/'],
  ['a.example', 'a.example/path'],
  ['*.b.example', 'https://q.b.example/'],
  ['*.b.example', 'https://q.r.b.example/'],
  ['api-*.b.example', 'https://api-7.b.example/'],
  ['c.*', 'https://c.example/'],
  ['bücher.example', 'https://b%C3%BCcher.example/'],
  ['xn--bcher-kva.example', 'https://bücher.example/'],
  ['127.0.0.1', 'http://0x7f.1/'],
])('the domain %s is that of %s', (domain, address) => {
  expect(matches(domain, address)).toBe(true);
});

test.each([
  ['a.example', 'https://sub.a.example/'],
  ['a.example', 'https://a.example.evil/'],
  ['a.example', 'https://a.example@evil.test/'],
  ['a.example', 'https://evil.test/a.example'],
  ['a.example', 'https://xa.example/'],
  ['*.b.example', 'https://b.example/'],
  ['*.b.example', 'https://xb.example/'],
  ['c.*', 'https://c.co.example/'],
  ['c*.example', 'https://c.d.example/'],
])('the domain %s is not that of %s', (domain, address) => {
  expect(matches(domain, address)).toBe(false);
});

test.each(['', '.', 'a..b', 'a b', 'https://a.example', 'a.example/path', 'a.example:80'])(
  '%j is no domain',
  (text) => {
    expect(compileDomain(text)).toBeUndefined();
  },
);

test('deny comes before ask before allow, whatever is more exact', () => {
  const rules = {
    allow: ['WebFetch(domain:*.b.example)'],
    ask: ['WebFetch(domain:x.b.example)'],
    deny: ['WebFetch(domain:*.x.b.example)'],
  };
  expect(fetched(rules, 'https://q.b.example/')).toBe('allow');
  expect(fetched(rules, 'https://x.b.example/')).toBe('ask');
  expect(fetched(rules, 'https://q.x.b.example/')).toBe('deny');
  expect(fetched(rules, 'https://other.example/')).toBe('ask');
});

test('an allowed domain is one of the web', () => {
  const both = { allow: ['WebFetch(domain:a.example)'], deny: ['WebFetch(domain:bad.example)'] };
  expect(fetched(both, 'https://a.example/')).toBe('allow');
  for (const url of ['ftp://a.example/', 'file://a.example/etc/hostname', 'a.example', '', 'https://'])
    expect([url, fetched(both, url)]).toEqual([url, 'ask']);
  for (const url of ['ftp://bad.example/', 'bad.example/x'])
    expect([url, fetched(both, url)]).toEqual([url, 'deny']);
});

test('a star alone restricts every domain, and allows those of one label', () => {
  expect(fetched({ allow: ['WebFetch'], deny: ['WebFetch(domain:*)'] }, 'https://a.b.example/')).toBe('deny');
  expect(fetched({ allow: ['WebFetch(domain:*)'] }, 'https://a.b.example/')).toBe('ask');
  expect(fetched({ allow: ['WebFetch(domain:*)'] }, 'http://localhost/')).toBe('allow');
});

test('another field of the input can restrict, too', () => {
  const rules = { allow: ['WebFetch'], deny: ['WebFetch(prompt:*password*)'] };
  expect(fetched(rules, 'https://a.example/', { prompt: 'find the password' })).toBe('deny');
  expect(fetched(rules, 'https://a.example/')).toBe('allow');
});
