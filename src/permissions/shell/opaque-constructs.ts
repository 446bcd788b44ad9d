/** Constructs of the grammar by what they are called in a reason. */

/** Constructs whose commands are looked at, but which rules for parts never allow. */
export const OPAQUE = {
  Subshell: 'a subshell',
  BraceGroup: 'a group',
  Case: 'a case',
  Function: 'a function',
  Coproc: 'a coprocess',
  ArithmeticCommand: 'an arithmetic command',
  ArithmeticFor: 'an arithmetic loop',
  CommandExpansion: 'a command substitution',
  ArithmeticCommandExpansion: 'a command substitution',
} as const;

/** Constructs whose commands run more than once, or later. */
export const REPEATING: ReadonlySet<string> = new Set('For Select While ArithmeticFor Function'.split(' '));
