/** Which model a session talks to, and with whose key. A project never decides either. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { HookdError, messageOf, systemCode } from '../core/errors.ts';
import { createAnthropicModel } from '../model/anthropic.ts';
import { readEndpoint } from '../model/endpoint.ts';
import type { Model } from '../model/model.ts';
import { createScriptedModel, readScript } from '../model/scripted.ts';

const DEFAULT_MODEL = 'claude-sonnet-5-5';

export interface ModelAccess {
  readonly model: Model;
  readonly name: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelChoice {
  readonly env: Environment;
  readonly hookdHome: string;
  /** From a flag or the user's settings. */
  readonly name: string | undefined;
  /** A file of turns to play instead of a model. */
  readonly script: string | undefined;
  /** In seconds. */
  readonly patience?: { readonly requestTimeoutSeconds: number; readonly streamIdleTimeoutSeconds: number };
}

/** Credentials and endpoint are those of this process; which model, the session's own environment may say. */
export function modelChoice(
  { env, hookdHome }: Pick<ModelChoice, 'env' | 'hookdHome'>,
  session: {
    readonly env?: Environment;
    readonly modelScript?: string | undefined;
    readonly startDirectory: string;
  },
  name: string | undefined,
): ModelChoice {
  const { modelScript, startDirectory } = session;
  const script = modelScript === undefined ? undefined : resolve(startDirectory, modelScript);
  const modelId = session.env?.['MODEL_ID'];
  return { env: modelId === undefined ? env : { ...env, MODEL_ID: modelId }, hookdHome, name, script };
}

/** Throws MODEL_NOT_CONFIGURED, MODEL_SCRIPT_INVALID or USAGE. */
export async function openModel({
  env,
  hookdHome,
  name,
  script,
  patience,
}: ModelChoice): Promise<ModelAccess> {
  if (script !== undefined) {
    const turns = await readScript(script);
    if (turns instanceof HookdError) throw turns;
    return { model: createScriptedModel(turns), name: 'scripted' };
  }
  const known = withDotEnv(env, hookdHome);
  const model = createAnthropicModel({
    apiKey: known['ANTHROPIC_API_KEY'],
    authToken: known['ANTHROPIC_AUTH_TOKEN'],
    baseUrl: known['ANTHROPIC_BASE_URL'],
    ...(patience === undefined
      ? {}
      : {
          limits: {
            answerMs: patience.requestTimeoutSeconds * 1000,
            idleMs: patience.streamIdleTimeoutSeconds * 1000,
          },
        }),
  });
  return { model, name: name ?? known['MODEL_ID'] ?? DEFAULT_MODEL };
}

/** Where requests would go, for people: without a credential. Throws MODEL_NOT_CONFIGURED or USAGE. */
export function describeModel(env: Environment, hookdHome: string): string {
  const known = withDotEnv(env, hookdHome);
  const { name } = readEndpoint({
    apiKey: known['ANTHROPIC_API_KEY'],
    authToken: known['ANTHROPIC_AUTH_TOKEN'],
    baseUrl: known['ANTHROPIC_BASE_URL'],
  });
  return `${known['MODEL_ID'] ?? DEFAULT_MODEL} at ${name}`;
}

/** The credentials that must not stand in any record, wherever they come from. */
export function credentialsOf(env: Environment, hookdHome: string): readonly string[] {
  const known = withDotEnv(env, hookdHome);
  return [known['ANTHROPIC_API_KEY'], known['ANTHROPIC_AUTH_TOKEN']].filter((value) => value !== undefined);
}

/** `$HOOKD_HOME/.env` fills in what is not set; no other .env is read: a project must not choose where the key goes. */
function withDotEnv(env: Environment, hookdHome: string): Environment {
  const path = join(hookdHome, '.env');
  try {
    return { ...parseEnv(readRegular(path)), ...definedIn(env) };
  } catch (error) {
    if (error instanceof HookdError) throw error;
    if (systemCode(error) === 'ENOENT') return env;
    throw new HookdError('USAGE', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** Opened without blocking: a named pipe would hold us until somebody writes. */
function readRegular(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    if (!fstatSync(descriptor).isFile()) throw new HookdError('USAGE', `${path} is not a regular file.`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function definedIn(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
