/** What the model of one session is told before the first prompt, and what the user should know of that. */
import { type FoundInstructions, readInstructions } from '../agent/instructions.ts';
import { type PromptFlags, systemPrompt } from '../agent/system-prompt.ts';
import type { ToolUseId } from '../core/vocabulary.ts';
import { newestDenial } from '../permissions/decide.ts';
import { realFiles } from '../permissions/files-view.ts';
import type { SettingsSnapshot } from '../settings/merge.ts';
import { read } from '../tools/read.ts';

export interface SessionBriefing extends FoundInstructions {
  readonly system: string;
}

export function briefSession(
  { permissions }: SettingsSnapshot,
  trustsProject: boolean,
  flags: PromptFlags,
): SessionBriefing {
  const { workplace, mode } = permissions;
  const found = readInstructions(workplace, trustsProject, (file) => {
    const id = '' as ToolUseId;
    const specifier = { kind: 'path', access: 'read', path: file } as const;
    const call = { id, tool: read, input: { file_path: file }, specifier };
    return newestDenial({ permissions, call, files: realFiles })?.reason;
  });
  const { instructions } = found;
  const facts = { workplace, platform: process.platform, today: new Date(), mode };
  return { ...found, system: systemPrompt({ ...facts, instructions, ...flags }) };
}
