import { defineConfig } from 'vitest/config';

/**
 * Tests of compiled code run from dist/, because worker threads and child processes must be real files.
 * Everything there but the tests themselves is loaded by Node alone, never transformed.
 */
const compiled = { deps: { external: [/\/dist\/(?!.*\.test\.js$)/] } };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // On a machine of strangers. What passes at its second try only is named at the end of .ci/run: a bug to be found.
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['dist/**/*.test.js'],
          exclude: ['dist/frontend/**', 'dist/tests/e2e/**', 'dist/bench/**', '**/*.long.test.js'],
          server: compiled,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // The promises of docs/GUARANTEES.md at full size: npm run test:faults.
          name: 'faults',
          include: ['dist/tests/faults/**/*.long.test.js'],
          server: compiled,
          globalSetup: ['dist/tests/faults/table.js'],
          env: { KEEP_FAULT_RESULTS: '1' },
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['frontend/src/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['dist/tests/e2e/**/*.test.js'],
          server: compiled,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
    passWithNoTests: true,
  },
});
