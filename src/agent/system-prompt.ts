/**
 * What the model is told before anything else: where it works, and what people wrote down for it. Facts only; all
 * cleverness is the model's. Made once a session, so that every request begins with the same bytes.
 */
import type { PermissionMode, Workplace } from '../core/vocabulary.ts';
import type { Instructions } from './instructions.ts';

export interface PromptFlags {
  /** `--system-prompt`: instead of what is said here by default. */
  readonly replacement?: string | undefined;
  /** `--append-system-prompt`: the last word. */
  readonly addition?: string | undefined;
}

export interface Briefing extends PromptFlags {
  readonly workplace: Workplace;
  /** As `process.platform` has it. */
  readonly platform: string;
  readonly today: Date;
  /** At the start of the session; it may change later. */
  readonly mode: PermissionMode;
  readonly instructions: readonly Instructions[];
}

export function systemPrompt(briefing: Briefing): string {
  const { instructions, replacement, addition } = briefing;
  const parts = [
    replacement ?? defaultPrompt(briefing),
    ...instructions.map(({ file, text }) => `What ${file} says:\n${text.trimEnd()}`),
    addition ?? '',
  ];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

function defaultPrompt({ workplace, platform, today, mode }: Briefing): string {
  return [
    `You are a coding agent at ${workplace.project}: act with your tools rather than explain.`,
    `Relative paths and commands start in ${workplace.cwd}. Platform: ${platform}. Date: ${today.toISOString().slice(0, 10)}. Permission mode: ${mode}.`,
    'Rules that the user wrote judge every tool call. A refusal says why: do not try to get round it; take another way, or',
    'tell the user what you would need.',
  ].join('\n');
}
