/** What asks about a command although it is allowed: removals that much depends on, and writes to protected paths. */
import type { Decision } from '../../core/vocabulary.ts';
import { byBuiltin, type Context, IN_FORCE, quoted } from '../context.ts';
import { piecesOf } from '../programs/file-uses.ts';
import { programOf } from '../programs/program-name.ts';
import { readOnlyCall } from '../programs/read-only.ts';
import type { Reading } from '../programs/reading.ts';
import { changedMeaning } from '../programs/shell-options.ts';
import type { Reach } from '../reach.ts';
import { isGlob } from '../shell/glob.ts';
import { pathsNamed } from '../shell/paths.ts';
import { readsAboveHookd } from './above-hookd.ts';
import { changedFiles } from './changed-files.ts';
import { criticalRemoval } from './critical-removal.ts';
import { mayReachHookd } from './hookd-guard.ts';

interface Asked extends Context {
  readonly command: string;
  readonly reach: Reach;
  readonly launched?: readonly Reach[];
}

/** Before what takes longest: whatever else were found could only ask, too. */
export const tooIntricate = ({ reach }: Asked): Decision | undefined =>
  reach.exhausted
    ? ask('unresolved-command', 'The command is too intricate to be looked through.')
    : undefined;

export function alwaysAsked(asked: Asked): Decision | undefined {
  const { reach, place, command } = asked;
  const hookd = mayReachHookd(reach, place);
  if (hookd !== undefined)
    return ask('hookd-home', `${quoted(hookd)} may reach for hookd itself: it is known only when it runs.`);
  let removal = criticalRemoval(reach, place);
  for (const started of asked.launched ?? []) removal ??= criticalRemoval(started, place);
  if (removal !== undefined)
    return ask('critical-removal', `${quoted(removal)} removes a directory that much depends on.`);
  const wide = readsAboveHookd(reach, place);
  if (wide !== undefined)
    return ask('hookd-home', `${quoted(wide)} reads what is below a directory that holds hookd's own.`);
  for (const reading of reach.readings) {
    const written = guardedFile(asked, reading);
    if (written !== undefined) {
      const [whole, file] = [quoted(reading.words.join(' ')), quoted(written)];
      const kind = whatItHolds(asked, written, reading.cwds);
      return ask('protected-path', `${whole} may change ${file}, which ${kind}.`);
    }
  }
  const redirect = reach.redirects.find(
    ({ writes, targets, cwds }) => writes && targets.some((target) => isGuarded(asked, target, cwds)),
  );
  if (redirect !== undefined)
    return ask(
      'protected-path',
      `"> ${redirect.text}" changes a file that ${whatItHolds(asked, redirect.text, redirect.cwds)}.`,
    );
  const wider = writesByChangedPattern(reach);
  if (wider !== undefined)
    return ask('protected-path', `${quoted(wider)} may change any file: what its patterns fit was changed.`);
  const named = namesAgentSettings(reach, command, place);
  if (named !== undefined)
    return ask('protected-path', `${quoted(named)} may change the settings or hooks of this agent.`);
  // What is forbidden without a rule may be among the names that nobody looked at.
  return place.isExhausted
    ? ask('unresolved-command', 'The patterns of the command stand for too many names to look at each.')
    : undefined;
}

const ask = (name: string, reason: string): Decision => byBuiltin('ask', name, reason);

const isGuarded = ({ place, permissions }: Asked, word: string, cwds: readonly string[]): boolean =>
  pathsNamed(word, cwds, place).some((path) => place.isGuarded(path, permissions.mode));

const whatItHolds = ({ place }: Asked, word: string, cwds: readonly string[]): string =>
  pathsNamed(word, cwds, place).some((path) => place.isInForce(path))
    ? IN_FORCE
    : 'configures tools that run code';

function guardedFile(asked: Asked, reading: Reading): string | undefined {
  const { files, cwds } = reading;
  const use = files.uses.find(({ access, word }) => access === 'write' && isGuarded(asked, word, cwds));
  if (use !== undefined) return use.word;
  for (const changed of changedFiles(reading)) {
    const word = changed.words.find((one) => isGuarded(asked, one, changed.cwds));
    if (word !== undefined) return word;
  }
  return undefined;
}

/** With `shopt -s dotglob` and the like `*` fits hidden files, too. */
function writesByChangedPattern({ readings, redirects }: Reach): string | undefined {
  if (!readings.some(({ words, name }) => changedMeaning(programOf(name), words.slice(1)) !== undefined))
    return undefined;
  const writes = readings.find(({ files }) =>
    files.uses.some(({ access, word }) => access === 'write' && isGlob(word)),
  );
  return (
    writes?.words.join(' ') ??
    redirects.find(({ writes: isWritten, text }) => isWritten && isGlob(text))?.text
  );
}

/** The settings directories as they may stand in code of another language. */
const SETTINGS_IN_CODE = /(?:^|[^\w.-])\.(?:hookd|claude)(?![\w-])/i;

/** A program that is not known to only read, and names this agent's settings; or code that does. */
function namesAgentSettings(reach: Reach, command: string, place: Context['place']): string | undefined {
  if (reach.unresolved.length > 0 && SETTINGS_IN_CODE.test(command)) return command;
  const reading = reach.readings.find(
    ({ words, files, cwds }) =>
      words.some((word) => /[./]/.test(word)) &&
      !files.known &&
      readOnlyCall(words, false) === undefined &&
      words
        .slice(1)
        .flatMap(namedIn)
        .some(
          (word) =>
            word.length <= 4096 &&
            /[./]/.test(word) &&
            pathsNamed(word, cwds, place).some((path) => place.isAgentSettings(path)),
        ),
  );
  return reading?.words.join(' ');
}

/** A word with blanks is a message, or code that was looked at already. */
const namedIn = (word: string): readonly string[] => (/\s/.test(word) ? [] : piecesOf(word));
