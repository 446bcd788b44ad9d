/** What lies in a directory, for those to whom one that cannot be listed is an empty one. */
import { readdirSync } from 'node:fs';

export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
