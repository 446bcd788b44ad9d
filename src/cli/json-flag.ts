/** The flag that every command has. Those whose JSON needs a word more say it themselves. */

export const JSON_FLAG = { type: 'boolean', default: false, describe: 'print JSON, for programs' } as const;
