/** Paths as the model writes them, made absolute and normalised, so that hooks and rules see one spelling. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import type { Workplace } from '../core/vocabulary.ts';

/** An input field that holds a path. No file has a NUL in its name: such an input does not fit. */
export function pathField(description: string) {
  return Type.String({ minLength: 1, pattern: '^[^\\u0000]*$', description });
}

/** `~` is the user's home; what is relative starts at the start directory. Links are not resolved here. */
export function normalisePath(path: string, { cwd, home }: Pick<Workplace, 'cwd' | 'home'>): string {
  if (path === '~') return resolve(home);
  if (path.startsWith('~/')) return resolve(home, path.slice(2).replace(/^\/+/, ''));
  return resolve(cwd, path);
}
