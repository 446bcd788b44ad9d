/** What the model is told about where it works. All cleverness is the model's; this says the facts only. */
import type { Workplace } from '../core/vocabulary.ts';

export function systemPrompt(workplace: Workplace): string {
  return [
    'You are an agent that works on this machine through tools.',
    `Relative paths and shell commands start in ${workplace.cwd}; the project is ${workplace.project}.`,
    'Every tool call is judged by rules that the user wrote, and may be refused. A refusal says why: do not try to get',
    'round it; take another way, or tell the user what you would need.',
  ].join('\n');
}
