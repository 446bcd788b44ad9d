/** Programs that take the names of their files from a list, on stdin or in a file: which ones is known only when they run. */
import { programOf } from './program-name.ts';

const TAKES_LIST: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['tar gtar bsdtar', /^-[A-Za-z]*T|^--files/],
      ['rsync', /^--(?:files-f|include-f)/],
      ['zip', /^-[A-Za-z]*@|^--names-stdin/],
      ['cpio', /^-[A-Za-z]*[op]|^--(?:cr|pa)/],
      ['pax', /^-[A-Za-z]*w/],
      ['wc sort du', /^--f(?!ield)/],
      ['file', /^-[A-Za-z0-9]*f|^--file/],
      ['7z 7za 7zr rar', /^@|^-[air].*@/],
      // Its options, and with them its files.
      ['curl', /^-[^-HdAXeubDoTFcC]*K|^--conf/],
      ['exiftool', /^-@/],
      ['git', /^--pathspec-f/],
    ] as const
  ).flatMap(([names, option]) => names.split(' ').map((name) => [name, option] as const)),
);

/** For a rule that allows: the files of git are those of its repository, however they are named. */
export const namesFilesInList = (words: readonly string[]): boolean =>
  programOf(words[0] ?? '') !== 'git' && takesNamesFromList(words);

/** True when a list may name more files than the words do. For rules that restrict: an option counts wherever it stands. */
export function takesNamesFromList(words: readonly string[]): boolean {
  const name = programOf(words[0] ?? '');
  const option = TAKES_LIST.get(name);
  if (option === undefined) return false;
  // `tar cTf list a` is `tar -c -T list -f a`.
  const isOld = /tar$/.test(name) && /^[A-Za-z]*T/.test(words[1] ?? '');
  return isOld || words.some((word, index) => index > 0 && option.test(word));
}
