/** The table of hook events. */
export type HookEvent = string;
