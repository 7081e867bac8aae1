import { defineConfig } from 'vitest/config';

/** Tests that need a database end in `.db.test.ts`; they run on the embedded one, and on PostgreSQL when it is there. */
const DATABASE_TESTS = '**/*.db.test.ts';
/** Several processes on one database, or connections that end: there is nothing like it on the embedded one. */
const POSTGRES_TESTS = '**/*.pg.test.ts';
const EXCLUDED = ['**/node_modules/**', '**/dist/**'];

const common = {
  // Our packages offer their sources under this condition: tests run what is written, not what was built last.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
};
/** Against hanging only: how fast a machine is must not decide whether a test passes. */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, teardownTimeout: 20_000 };

function databaseProject(name: string, include: string[], env: Record<string, string>) {
  return { ...common, test: { name, include, exclude: EXCLUDED, env, ...limits } };
}

const postgresUrl = process.env.TEST_DATABASE_URL;

export default defineConfig({
  test: {
    // One more than the cores: many tests wait for timers, the network or a killed process.
    maxWorkers: 3,
    retry: 0,
    projects: [
      {
        ...common,
        test: {
          name: 'plain',
          include: ['**/*.test.ts'],
          exclude: [...EXCLUDED, DATABASE_TESTS, POSTGRES_TESTS],
          ...limits,
        },
      },
      databaseProject('embedded', [DATABASE_TESTS], { TEST_DATABASE_URL: '' }),
      ...(postgresUrl
        ? [databaseProject('postgres', [DATABASE_TESTS, POSTGRES_TESTS], { TEST_DATABASE_URL: postgresUrl })]
        : []),
    ],
  },
});
