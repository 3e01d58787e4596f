import { defineConfig } from 'vitest/config';

/**
 * Tests of compiled code run from dist/, because worker threads and child processes must be real files.
 * Only the tests themselves are transformed; Node loads everything else as it is.
 */
const compiled = { deps: { external: [/\/dist\/(?!.*\.test\.js$)/] } };

/**
 * What `npm run test:operation` runs, and `npm test` does not: the command line, the deployment, several processes,
 * PostgreSQL and its failures; and the photos that ExifTool judges. `npm test` keeps one short trial of each promise of
 * GUARANTEES.md and SECURITY.md.
 */
const OPERATION = [
  'dist/demo/**/*.test.js',
  'dist/tests/{cli,demo,deploy,media,s3}/**/*.test.js',
  'dist/tests/cluster/!(moves|presence|redis-away).test.js',
  'dist/tests/postgres/!(cut-replies|failover).test.js',
  'dist/tests/faults/{cluster-*,copy,floods,full-*,leaks,migration,planted-bugs,rolls,upgrades}.test.js',
  'dist/tests/faults/{slow-resumers,storage-disk-errors,storage-kill,storage-server}.test.js',
];

/** The whole server, as its clients, operators and neighbours see it. The files share a process, as the parts do. */
const wholeServer = {
  server: compiled,
  isolate: false,
  globalSetup: [
    'dist/tests/support/postgres-for-all.js',
    'dist/tests/support/fast-start/build.js',
    'dist/tests/support/descriptions.js',
  ],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

const simulated = { server: compiled, testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A CI machine is shared, so a test gets a second try. `.ci/run` lists each test that needed it: it hides a bug.
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          // The tests beside the code. They share a process: a new one for each file takes as long as most of them.
          name: 'parts',
          include: ['dist/{server,protocol,client}/**/*.test.js'],
          server: compiled,
          isolate: false,
          globalSetup: ['dist/tests/support/postgres-for-all.js'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...wholeServer,
          name: 'server',
          include: ['dist/tests/**/*.test.js'],
          exclude: ['dist/tests/{e2e,simulation}/**', '**/*.long.test.js', ...OPERATION],
        },
      },
      {
        extends: true,
        test: {
          ...wholeServer,
          name: 'operation',
          include: OPERATION,
          exclude: ['**/*.long.test.js'],
        },
      },
      {
        extends: true,
        test: {
          // Each file has a process of its own: what an earlier one left running would come into the simulated time.
          name: 'simulation',
          include: ['dist/tests/simulation/!(planted-bugs).test.js'],
          ...simulated,
        },
      },
      {
        extends: true,
        test: {
          // That the simulation finds a bug when there is one: with those of `operation`.
          name: 'planted-bugs',
          include: ['dist/tests/simulation/planted-bugs.test.js'],
          ...simulated,
        },
      },
      {
        extends: true,
        test: {
          // Tests the promises in docs/GUARANTEES.md at full size: npm run test:faults.
          name: 'faults',
          include: ['dist/tests/{faults,postgres,cluster}/**/*.long.test.js'],
          server: compiled,
          globalSetup: ['dist/tests/faults/table.js', 'dist/tests/support/postgres-for-all.js'],
          env: { KEEP_FAULT_RESULTS: '1' },
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Slow, or measures times: npm run test:security.
          name: 'security',
          include: ['dist/tests/security/**/*.long.test.js'],
          server: compiled,
          fileParallelism: false,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['frontend/src/**/*.test.{ts,tsx}'],
          // contrast.test.ts reads it; all other style sheets are empty in tests.
          css: { include: /tokens\.css/ },
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          // The files share a process and its browser, as above.
          name: 'e2e',
          include: ['dist/tests/e2e/**/*.test.js'],
          server: compiled,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
    passWithNoTests: true,
  },
});
