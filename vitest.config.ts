import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // End-to-end tests drive the built program: it must be there, and not be older than the sources.
    globalSetup: ['tests/support/built.ts'],
    // A limit for what hangs, not for what is slow: machines are busy.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Tests start real processes; two cores are the smallest machine that we promise.
    maxWorkers: 2,
  },
});
