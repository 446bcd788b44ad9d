/** Paths of files that configure the agent, or tools which run code: told by their names alone. */
import { basename } from 'node:path';

const PROTECTED_DIRECTORIES = new Set(
  '.git .claude .hookd .vscode .idea .husky .cargo .devcontainer .yarn .mvn'.split(' '),
);

const PROTECTED_FILES = new Set(
  [
    '.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile',
    '.zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .envrc .npmrc .yarnrc .yarnrc.yml .mcp.json .claude.json',
    '.ripgreprc bunfig.toml .devcontainer.json .pre-commit-config.yaml .lefthook.yml lefthook.yml .lintstagedrc',
    'gradle-wrapper.properties maven-wrapper.properties',
  ]
    .join(' ')
    .split(' '),
);

/** In a directory of settings and hook scripts, Claude Code's too. */
export function isAgentSettings(path: string): boolean {
  return /\/\.(?:hookd|claude)(?:\/|$)/i.test(path);
}

/** Files that configure tools which run code: a write there always asks. Case is ignored, as some file systems do. */
export function isProtectedPath(path: string): boolean {
  const lower = path.toLowerCase();
  // Every directory among them is a hidden one.
  if (lower.includes('/.') || lower.startsWith('.')) {
    if (lower.split('/').some((segment) => PROTECTED_DIRECTORIES.has(segment))) return true;
    if (/(?:^|\/)\.config\/(?:git|fish)(?:\/|$)/.test(lower)) return true;
  }
  const name = basename(lower);
  return PROTECTED_FILES.has(name) || name.startsWith('.yarnrc');
}
