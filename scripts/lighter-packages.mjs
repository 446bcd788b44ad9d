// An esbuild plugin that takes work out of packages which no command of ours needs, and each would pay for.
import { readFile } from 'node:fs/promises';

const PATCHES = [
  {
    // Making one loads ICU's tables (10 ms), for the widths of help texts only. yargs brings three copies.
    filter: /[/\\]string-width[/\\]index\.js$/,
    from: 'const segmenter = new Intl.Segmenter();',
    to: `let made;
const segmenter = { segment: (text) => { made ??= new Intl.Segmenter(); return made.segment(text); } };`,
  },
  {
    // yargs renders the help of each sub-command that runs (40 ms), in case its handler asks for it. Ours never do.
    filter: /[/\\]yargs[/\\]build[/\\]lib[/\\]usage\.js$/,
    from: 'cachedHelpMessage = this.help();',
    to: '',
  },
];

export const lighterPackages = {
  name: 'lighter-packages',
  setup({ onLoad }) {
    for (const { filter, from, to } of PATCHES) {
      onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes(from))
          throw new Error(`${path} has changed: look at scripts/lighter-packages.mjs`);
        return { contents: text.replace(from, () => to) };
      });
    }
  },
};
