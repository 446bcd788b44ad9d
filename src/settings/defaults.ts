/** What holds where no settings say anything. */

/** Tokens of one answer of the model. */
export const DEFAULT_MAX_TOKENS = 8000;
/** Answers of the model to one prompt. */
export const DEFAULT_MAX_TURNS = 200;
/** How often Stop hooks may send the model on in one turn. */
export const DEFAULT_MAX_STOP_BLOCKS = 8;
