/** What holds where no settings say anything. */

/** What each bounds: limits-schema.ts. `maxSessionTokens` has no default. */
export const DEFAULT_LIMITS = {
  maxTurns: 200,
  maxTokens: 8000,
  maxStopBlocks: 8,
  maxRetries: 4,
  maxRepeatedFailures: 6,
  contextWindow: 200_000,
  compactAt: 0.8,
  requestTimeoutSeconds: 300,
  streamIdleTimeoutSeconds: 120,
} as const;
