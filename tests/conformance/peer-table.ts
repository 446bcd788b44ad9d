/** The projects whose tables are here; peers/ says where they are from. */
import type { Peer } from './peer.ts';
import { claudeCodeRegressions } from './peer-claude-code.ts';
import { codexShellParse } from './peer-codex-parse.ts';
import { commandTable } from './peer-commands.ts';
import { kimiRules } from './peer-kimi.ts';

export const PEERS: Readonly<Record<string, Peer>> = {
  'dippy-bash': commandTable('dippy-bash'),
  'codex-shell-parse': codexShellParse,
  'kimi-permission-rules': kimiRules,
  'claude-code-regressions': claudeCodeRegressions,
  'codex-command-safety': commandTable('codex-command-safety'),
  'safety-net': commandTable('safety-net'),
  'nah-corpus': commandTable('nah-corpus'),
};
