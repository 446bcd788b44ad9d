/** What the agent's commands run with: the session's environment, as its SessionStart hooks have changed it. */
import { EnvFile } from '../hooks/env-file.ts';
import { fileOnPath } from '../hooks/program.ts';
import { type Change, commandEnvironment } from '../settings/command-environment.ts';
import type { Toolbox } from '../tools/tool.ts';
import type { HookHostOptions } from './hook-host.ts';

/** Where it is on nearly every system. */
const BASH = '/bin/bash';

type Variables = Readonly<Record<string, string>>;
export type Surroundings = Pick<HookHostOptions, 'env' | 'home' | 'snapshot' | 'tell'>;

export class ToolEnvironment {
  readonly #around: Surroundings;
  readonly #file: EnvFile;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#file = new EnvFile(around.home.envFile, around.tell);
  }

  /** The toolbox with what is in force whenever it is asked for. */
  equip(toolbox: Omit<Toolbox, 'env' | 'bash'>): Toolbox {
    const variables = () => this.#variables();
    return {
      ...toolbox,
      get env() {
        return variables();
      },
      bash: () => this.#bash(),
    };
  }

  /** What hooks have set. Throws a system error. */
  setByHooks(): Variables {
    const before = this.#made();
    return Object.fromEntries(Object.entries(this.#variables()).filter(([name, to]) => before[name] !== to));
  }

  /** Tells now what of the hooks' lines does not count: they have just ended. */
  look(): void {
    try {
      this.#variables();
    } catch {
      // The first command says so.
    }
  }

  /** Throws a system error. */
  #variables(): Variables {
    return this.#made((given, made) => this.#file.changed(given, made));
  }

  /**
   * That of the session's own PATH: one that a hook has set may lead to no bash, or by way of `./node_modules/.bin` to
   * whatever is called so.
   */
  #bash(): string {
    if (!this.#file.touches('PATH')) return 'bash';
    return fileOnPath('bash', this.#made()['PATH'] ?? '') ?? BASH;
  }

  #made(changed?: Change): Variables {
    const { env, snapshot } = this.#around;
    return commandEnvironment(env, snapshot(), changed);
  }
}
