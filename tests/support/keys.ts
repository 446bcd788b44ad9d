/** What a terminal sends for keys that have no letter. */
export const ENTER = '\r';
export const CTRL_C = '\u0003';
export const UP = '\u001b[A';
export const PASTE = { begin: '\u001b[200~', end: '\u001b[201~' } as const;
