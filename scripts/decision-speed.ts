/**
 * What a decision about a plain command costs against its guarded parse (`analyseByGrammar`), in turns in one run, in
 * processor time, which other processes disturb least.
 *   npx tsx scripts/decision-speed.ts
 * `new` commands were never seen before; `known` ones were decided before, so that only what the decision asked of the
 * files is asked again: `in place`, of the real ones of this directory. Then what is built to be endless: how long until it is answered.
 */
import { decide } from '../src/permissions/decide.ts';
import { realFiles } from '../src/permissions/files-view.ts';
import { analyseByGrammar } from '../src/permissions/shell/commands.ts';
import { ENDLESS } from '../tests/permissions/endless.ts';
import { bash, FILES, permissionsOf, WORKPLACE } from '../tests/permissions/scene.ts';

const COMMANDS = [
  'git status',
  'npm test',
  'npm run build && npm test',
  'rg -n foo src | head -20',
  'cat src/a.ts',
  'ls -la',
];
const SIZES = [0, 1000, 5000];
const BATCHES = 30;
const TIMES = 300;

/** Mixed rules for commands and paths, none of them about the commands above. */
function permissionsWith(count: number) {
  const lists: { allow: string[]; ask: string[]; deny: string[] } = { allow: [], ask: [], deny: [] };
  const texts = [
    (i: number) => `Bash(tool${i} *)`,
    (i: number) => `Bash(tool${i}:*)`,
    (i: number) => `Bash(tool${i} run*x)`,
    (i: number) => `Read(src/gen${i}/**)`,
    (i: number) => `Edit(/out${i}/*.ts)`,
  ];
  const order = [lists.allow, lists.ask, lists.deny];
  for (let i = 0; i < count; i++) order[i % 3]?.push(texts[i % 5]?.(i) ?? '');
  return permissionsOf(lists);
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds of the best batch. */
function best(work: (round: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < BATCHES; batch++) {
    const began = spent();
    for (let i = 0; i < TIMES; i++) work(batch * TIMES + i);
    least = Math.min(least, (spent() - began) / TIMES);
  }
  return least;
}

const start = { cwd: WORKPLACE.cwd, home: WORKPLACE.home };
/** Where real files are. */
const here = { ...WORKPLACE, project: process.cwd(), cwd: process.cwd() };
const sets = SIZES.map(permissionsWith);
console.log(`microseconds; rules ${SIZES.join(' / ')}; the ratio is to the parse, over 1000 rules`);
for (const text of COMMANDS) {
  const parse = best((round) => analyseByGrammar(`${text} ${round}`, start));
  const decided = (fresh: boolean): number[] =>
    sets.map((permissions) =>
      best((round) => decide({ permissions, call: bash(fresh ? `${text} ${round}` : text), files: FILES })),
    );
  const inPlace = sets.map((set) => {
    const permissions = { ...set, workplace: here };
    return best(() => decide({ permissions, call: bash(text), files: realFiles }));
  });
  const shown = (times: number[]): string =>
    `${times.map((time) => time.toFixed(0)).join(' / ')}, ratio ${((times[1] ?? 0) / parse).toFixed(1)}`;
  console.log(
    `${text.padEnd(28)} parse ${parse.toFixed(1)} · new ${shown(decided(true))} · known ${shown(decided(false))} · in place ${shown(inPlace)}`,
  );
}

const guarded = permissionsOf({ allow: ['Bash'], deny: ['Bash(bad:*)', 'Read(.env)'] });
console.log('\nbuilt to be endless: milliseconds until it is answered');
for (const [what, text] of ENDLESS) {
  let least = Number.POSITIVE_INFINITY;
  let behavior = '';
  for (let i = 0; i < 3; i++) {
    const began = spent();
    behavior = decide({
      permissions: guarded,
      call: bash(`${text} `.slice(0, text.length)),
      files: FILES,
      isSet: (name) => name === 'PATH',
    }).behavior;
    least = Math.min(least, (spent() - began) / 1000);
  }
  console.log(
    `${what.padEnd(28)} ${String(text.length).padStart(6)} characters  ${behavior.padEnd(5)} ${least.toFixed(1)}`,
  );
}
