/** Reads conformance rows and evaluates one: fixtures in a temporary directory, rules through the parser, the call through `decide`. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type {
  Behavior,
  Decision,
  JsonObject,
  PermissionMode,
  Specifier,
  ToolCall,
  ToolUseId,
  Workplace,
} from '../../src/core/vocabulary.ts';
import { decide } from '../../src/permissions/decide.ts';
import { realFiles } from '../../src/permissions/files-view.ts';
import { parseRule, type Rule } from '../../src/permissions/rule.ts';
import { compileRules } from '../../src/permissions/rule-set.ts';

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly mode: PermissionMode;
  readonly rules: Partial<Record<Behavior, readonly string[]>>;
  readonly fixture?: {
    readonly files?: Readonly<Record<string, string>>;
    readonly symlinks?: Readonly<Record<string, string>>;
    readonly dirs?: readonly string[];
    readonly git?: boolean;
  };
  readonly tool: string;
  readonly input: JsonObject;
  readonly expected: Behavior;
  readonly observed: Behavior;
}

export interface Verdict {
  readonly row: Row;
  readonly decision: Decision;
  /** A deny or ask entry was malformed: such settings are not loaded. `decision` is what the other entries say. */
  readonly refused: boolean;
}

export function readRows(): readonly Row[] {
  const file = new URL('./permissions.jsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = JSON.parse(line) as Omit<Row, 'mode'> & { readonly mode: PermissionMode | 'manual' };
      // Another name of the same mode.
      return { ...row, mode: row.mode === 'manual' ? 'default' : row.mode };
    });
}

export class Sandbox {
  readonly #parent = realpathSync(mkdtempSync(join(tmpdir(), 'hookd-conformance-')));
  readonly #proj = join(this.#parent, 'proj');
  readonly #home = join(this.#parent, 'home');
  readonly #out = join(this.#parent, 'outside');
  #prepared: string | undefined;

  evaluate(raw: Row): Verdict {
    const row = this.#placed(raw);
    this.#prepare(row.fixture ?? {});
    let refused = false;
    const rules: Rule[] = [];
    for (const list of ['allow', 'ask', 'deny'] as const) {
      for (const [index, text] of (row.rules[list] ?? []).entries()) {
        const source = {
          text,
          list,
          file: join(this.#proj, '.claude/settings.json'),
          line: index + 1,
          column: 1,
        };
        const parsed = parseRule(text, source, this.#proj);
        if (parsed.ok) rules.push(parsed.rule);
        else if (list !== 'allow') refused = true;
      }
    }
    const permissions = {
      rules: compileRules(rules),
      mode: row.mode,
      workplace: this.#workplace(),
      // Claude Code has no deny list of its own.
      disabledBuiltins: new Set(['rm-root', 'sudo', 'shutdown', 'reboot', 'mkfs', 'dd', 'raw-disk']),
    };
    return { row: raw, refused, decision: decide({ permissions, call: this.#call(row), files: realFiles }) };
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }

  #workplace(): Workplace {
    return {
      project: this.#proj,
      cwd: this.#proj,
      home: this.#home,
      hookdHome: join(this.#parent, 'hookd-home'),
      directories: [],
    };
  }

  #call({ tool, input }: Row): ToolCall {
    const readOnly = tool === 'Read' || tool === 'Glob';
    return {
      id: 'toolu_1' as ToolUseId,
      tool: { name: tool, description: '', inputSchema: {}, readOnly },
      input,
      specifier: this.#specifier(tool, input),
    };
  }

  #specifier(tool: string, input: JsonObject): Specifier {
    const path = (value: unknown): string =>
      resolve(this.#proj, String(value).replace(/^~(?=\/)/, this.#home));
    switch (tool) {
      case 'Bash':
        return { kind: 'command', command: String(input['command']) };
      case 'Glob': {
        // The directory that the pattern starts from, as the tool takes it apart.
        const fixed = /^(\/(?:[^*?[{]*\/)?)/.exec(String(input['pattern']))?.[1];
        return { kind: 'path', access: 'read', path: path(input['path'] ?? fixed ?? '.') };
      }
      default:
        return { kind: 'path', access: tool === 'Read' ? 'read' : 'write', path: path(input['file_path']) };
    }
  }

  #placed(row: Row): Row {
    const text = JSON.stringify(row)
      .replaceAll('$PROJ', this.#proj)
      .replaceAll('$HOME', this.#home)
      .replaceAll('$OUT', this.#out);
    return JSON.parse(text) as Row;
  }

  /** Decisions change nothing, so rows that want the same files share them. */
  #prepare(fixture: NonNullable<Row['fixture']>): void {
    const wanted = JSON.stringify(fixture);
    if (wanted === this.#prepared) return;
    this.#prepared = wanted;
    const { files = {}, symlinks = {}, dirs = [], git } = fixture;
    for (const directory of [this.#proj, this.#home, this.#out]) {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
    }
    if (git === true) mkdirSync(join(this.#proj, '.git'));
    for (const directory of dirs) mkdirSync(resolve(this.#proj, directory), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(resolve(this.#proj, path)), { recursive: true });
      writeFileSync(resolve(this.#proj, path), content);
    }
    for (const [path, target] of Object.entries(symlinks)) {
      mkdirSync(dirname(resolve(this.#proj, path)), { recursive: true });
      symlinkSync(target, resolve(this.#proj, path));
    }
  }
}
