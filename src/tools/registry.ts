/** All tools. A new one is its own file and one line here. */
import type { Tool } from '../core/vocabulary.ts';
import { bash } from './bash.ts';
import { edit } from './edit.ts';
import { glob } from './glob.ts';
import { read } from './read.ts';
import { write } from './write.ts';

export const TOOLS: readonly Tool[] = [bash, read, write, edit, glob];
