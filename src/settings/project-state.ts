/** Where $HOOKD_HOME keeps what a person decided about one project: outside of it, so that the project cannot. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export const PROJECTS_FOLDER = 'projects';

export interface ProjectState {
  readonly directory: string;
  /** Rules that were approved for good; a settings file of the user's authority. */
  readonly remembered: string;
}

/** `project`: absolute, links resolved: a project that is moved, or another one in its place, is another project. */
export function projectState(hookdHome: string, project: string): ProjectState {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
  const directory = join(hookdHome, PROJECTS_FOLDER, name);
  return { directory, remembered: join(directory, 'settings.json') };
}
