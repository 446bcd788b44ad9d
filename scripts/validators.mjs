// Compiles every schema of the program when it is built: an esbuild plugin that puts ready-made code in the place of
// src/lib/validator.ts.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const MODULE = /[/\\]src[/\\]lib[/\\]validator\.ts$/;
const CODE = 'hookd-validator';

/** Loads the modules that declare schemas, with a validator.ts that only takes them down; `entry` names all of them. */
async function declaredSchemas(root, options) {
  const directory = mkdtempSync(join(tmpdir(), 'hookd-build-'));
  const outfile = join(directory, 'schemas.mjs');
  const recorder = {
    name: 'record-schemas',
    setup({ onLoad }) {
      onLoad({ filter: MODULE }, () => ({
        contents: `
          export const declared = [];
          export function validatorOf(name, schema, options) {
            declared.push({ name, schema: schema(), options });
          }`,
      }));
    },
  };
  const entry = `
    import { SettingsSchema } from './src/settings/schema.ts';
    import { TOOLS } from './src/tools/registry.ts';
    import { flaky } from './src/cli/demo-lessons.ts';
    import { HOOK_EVENTS } from './src/hooks/events.ts';
    import { answerValidator } from './src/hooks/answer-schema.ts';
    import './src/cli/demo-lessons.ts';
    import { BODIES } from './src/daemon/api-schema.ts';
    import { declared } from './src/lib/validator.ts';
    for (const event of Object.keys(HOOK_EVENTS)) answerValidator(event);
    export const schemas = [SettingsSchema, TOOLS, flaky, BODIES].length > 0 ? declared : [];`;
  try {
    const { metafile } = await build({
      ...options,
      metafile: true,
      stdin: { contents: entry, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      plugins: [recorder],
    });
    const forgotten = declaringModules(root).filter((path) => metafile.inputs[path] === undefined);
    if (forgotten.length > 0)
      throw new Error(`scripts/validators.mjs does not load ${forgotten.join(', ')}, which declare schemas.`);
    const { schemas } = await import(pathToFileURL(outfile).href);
    return schemas;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Modules of src that make a validator when they are loaded. */
function declaringModules(root) {
  return readdirSync(join(root, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
    .filter((path) => /(?:^|[^\w.])(?:validatorOf|defineTool)(?:<\w+>)?\(/.test(codeIn(join(root, path))));
}

/** Without comments and the functions' own declarations. */
function codeIn(path) {
  return readFileSync(path, 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/function (?:validatorOf|defineTool)\b/g, '');
}

/** What is for readers only is left out. */
function bare(node) {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'x-scopes' && !(key === 'description' && typeof value === 'string'))
      .map(([key, value]) => [key, bare(value)]),
  );
}

function codeOf({ schema, options }) {
  const ajv = new Ajv({ ...options, code: { source: true, esm: true } });
  return standalone.default(ajv, ajv.compile(bare(JSON.parse(JSON.stringify(schema)))));
}

/** The plugin, and what dist/ajv.cjs is made of. */
export async function readyValidators(root, options) {
  const schemas = await declaredSchemas(root, options);
  const { metafile } = await build({
    metafile: true,
    entryPoints: [join(root, 'node_modules/ajv/dist/ajv.js')],
    ...{ outfile: join(root, 'dist/ajv.cjs'), bundle: true, format: 'cjs', platform: 'node' },
  });
  const names = schemas.map(({ name }) => name);
  if (names.length === 0 || new Set(names).size !== names.length)
    throw new Error(`Each schema needs a name of its own: ${names.join(', ')}`);
  const plugin = {
    name: 'ready-validators',
    setup({ onLoad, onResolve }) {
      // For schemas that were not known here, as of a tool that comes from elsewhere.
      onResolve({ filter: /^\.\/ajv\.cjs$/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: new RegExp(`^${CODE}:`) }, ({ path }) => ({ path, namespace: CODE }));
      onLoad({ filter: /.*/, namespace: CODE }, ({ path }) => ({
        contents: codeOf(schemas[Number(path.slice(CODE.length + 1))]),
        resolveDir: root,
      }));
      onLoad({ filter: MODULE }, () => ({
        contents: [
          ...names.map((_, at) => `import validate${at} from '${CODE}:${at}';`),
          `const READY = new Map([${names.map((name, at) => `[${JSON.stringify(name)}, validate${at}]`).join(', ')}]);`,
          'export function validatorOf(name, schema, options) {',
          '  let validate = READY.get(name);',
          '  return () => {',
          "    validate ??= new (require('./ajv.cjs').Ajv)(options).compile(schema());",
          '    return validate;',
          '  };',
          '}',
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
  return { plugin, metafile };
}
