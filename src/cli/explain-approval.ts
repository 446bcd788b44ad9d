/** The answer `e` to a question: what the policy says of the call, and what would have to change. */
import type { SessionInfo } from '../core/protocol.ts';
import type { ApprovalRequest } from '../core/vocabulary.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { wrapped } from './columns.ts';
import { type Colours, oneLine, printableButColours } from './output.ts';
import { explanationOf } from './policy-explain.ts';
import { explanationLines } from './policy-explain-lines.ts';
import { openPolicy, readCall } from './policy-question.ts';
import { causeWords } from './record-words.ts';

export interface ExplainApproval {
  readonly approval: ApprovalRequest;
  readonly info: SessionInfo;
  /** Of the command line that opened the session, as far as they are known. */
  readonly flags: CommandLine;
  readonly env: NodeJS.ProcessEnv;
  readonly colours: Colours;
}

const MARGIN = '  ';
const LONGEST = 800;

/** Throws SETTINGS_INVALID where the files have errors now. */
export function explainApproval({ approval, info, flags, env, colours }: ExplainApproval): readonly string[] {
  const { subject, input, decision } = approval;
  const asked = wrapped(
    oneLine(`Asked because of: ${causeWords(decision.cause, true)}`, LONGEST),
    MARGIN,
    '',
  );
  const snapshot = openPolicy({ ...flags, permissionMode: info.permissionMode }, env, info.cwd);
  const read = readCall({ tool: subject, input }, snapshot.permissions.workplace);
  if (!read.ok) return [...asked, 'Rules have no say in it: they are about tool calls.'];
  const lines = explanationLines(explanationOf(snapshot, read.call, flags, env), colours);
  return [...(decision.cause.kind === 'hook' ? [...asked, ''] : []), ...lines.map(printableButColours)];
}
