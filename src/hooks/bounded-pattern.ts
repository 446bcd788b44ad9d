/** Tests a regular expression that somebody else wrote, without being held up by it. */
import { type Context, createContext, Script } from 'node:vm';

/** Thousands of times what an honest pattern needs. */
const LIMIT_MS = 250;

let sandbox: { readonly context: Context; readonly script: Script } | undefined;

/** undefined: it took too long, or more memory than there is. The pattern must be known to be a regular expression. */
export function testPattern(pattern: string, subject: string, limitMs = LIMIT_MS): boolean | undefined {
  sandbox ??= {
    context: createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } }),
    script: new Script('new RegExp(pattern).test(subject)'),
  };
  const { context, script } = sandbox;
  context['pattern'] = pattern;
  context['subject'] = subject;
  try {
    return script.runInContext(context, { timeout: limitMs }) === true;
  } catch {
    // The error is one of the sandbox's own kind: nothing can be told from it but that there is no answer.
    return undefined;
  }
}
