import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that need a database end in `.db.test.ts`; they run on the embedded one, and on PostgreSQL when it is there. */
const DATABASE_TESTS = '**/*.db.test.ts';
/** Several processes on one database, or connections that end: there is nothing like it on the embedded one. */
const POSTGRES_TESTS = '**/*.pg.test.ts';
/** Tests of the built programs; the name of their project makes them, the slowest, start first. */
const PROGRAM_TESTS = ['e2e/**/*.test.ts'];
/** They need a Chromium, which TEST_BROWSER names. */
const BROWSER_TESTS = '**/*.browser.test.ts';
/**
 * What the HTTP interface takes, refuses and answers is the same on both databases. It runs on the faster one: on PostgreSQL
 * where there is a server, else on the embedded database. What the statements do is tested on both, by the stores, actions
 * and workers.
 */
const INTERFACE_TESTS = [
  'server/src/*/http/**/*.db.test.ts',
  'server/src/http/**/*.db.test.ts',
  'server/src/bin/monitoring/*.db.test.ts',
];
/** Shows the answers of an installation without cells. */
const ONE_CELL = 'server/src/http/examples.db.test.ts';
/** Each tries every operation, or thousands of cases. */
const MANY_CASES = [
  'bench/src/fuzz/fuzz.db.test.ts',
  'bench/src/fuzz/store-and-read.db.test.ts',
  'server/src/http/examples.db.test.ts',
  'server/src/http/security/authentication.db.test.ts',
  'server/src/http/security/canaries.db.test.ts',
  'server/src/http/security/hostile-requests.db.test.ts',
  'server/src/http/security/idempotency.db.test.ts',
  'server/src/http/security/isolation.db.test.ts',
];
/** On PostgreSQL the same runs while connections are ended, or with more values. */
const EMBEDDED_ALONE = [
  'bench/src/fuzz/fuzz.db.test.ts',
  'bench/src/fuzz/store-and-read.db.test.ts',
  ...(process.env.CALLBACK_CASES ? [] : ['server/src/inbound/workers/every-item.db.test.ts']),
];
/** Makes the migrated database that each file with a database copies. */
const TEMPLATE = './server/src/testing/database/template-database.ts';
const SETUP = './scripts/property-seed.mjs';
const EXCLUDED = ['**/node_modules/**', '**/dist/**'];

/** Tests that put something else in the place of a module: they need modules that nobody has loaded before them. */
const REPLACING_TESTS = ['server', 'simulator', 'sdk', 'bench', 'e2e'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, 'src', file))
    .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock(')),
);

/** `x.ts?statements` exports, beside what `x.ts` does, all statements that it declares, as `everyStatement`. */
const exposeStatements = {
  name: 'expose-statements',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => {
    if (!id.endsWith('.ts?statements')) return undefined;
    const names = [...code.matchAll(/^(?:export )?const (\w+)(?:: .*\bStatement\b.* = [^(]| = statement\()/gm)].map(
      ([, name]) => name,
    );
    return `${code}\nexport const everyStatement = [${names.join(', ')}];`;
  },
};

const common = {
  plugins: [exposeStatements],
  // Our packages offer their sources under this condition: tests run what is written, not what was built last.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
};
const shared = {
  // Against hanging only: how fast a machine is must not decide whether a test passes.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 240_000 } },
  // The files of a process share the modules that they import: those hold no state.
  isolate: false,
  setupFiles: SETUP,
};

interface DatabaseProject {
  readonly name: string;
  readonly include: string[];
  /** The server; empty: the embedded database. */
  readonly url: string;
  /** Tenants live in this cell, besides the main one; empty: there is only the main one. */
  readonly cell?: string;
  readonly excluded?: readonly string[];
}

function databaseProject({ name, include, url, cell = '', excluded = [] }: DatabaseProject) {
  const env = { TEST_DATABASE_URL: url, TEST_CELL: cell };
  const exclude = [...EXCLUDED, ...excluded];
  return { ...common, test: { ...shared, name, include, exclude, env, globalSetup: TEMPLATE } };
}

/** What is about PostgreSQL itself runs on one cell, and everything else on two: whatever it asks comes through their door. */
function onPostgres(url: string) {
  return [
    databaseProject({ name: 'postgres', include: [POSTGRES_TESTS, ONE_CELL], url }),
    databaseProject({
      name: 'cells',
      include: [DATABASE_TESTS],
      url,
      cell: 'tests',
      excluded: [ONE_CELL, ...EMBEDDED_ALONE],
    }),
  ];
}

const postgresUrl = process.env.TEST_DATABASE_URL;
/** What does not run on the embedded database. */
const elsewhere = postgresUrl ? INTERFACE_TESTS : [];

export default defineConfig({
  test: {
    // More than the cores: many tests wait for timers, the network or a killed process.
    maxWorkers: availableParallelism() + 2,
    retry: 0,
    projects: [
      {
        ...common,
        test: {
          ...shared,
          name: 'plain',
          include: ['**/*.test.ts'],
          exclude: [...EXCLUDED, DATABASE_TESTS, POSTGRES_TESTS, ...PROGRAM_TESTS, ...REPLACING_TESTS],
        },
      },
      { ...common, test: { ...shared, name: 'replacing', include: REPLACING_TESTS, isolate: true } },
      databaseProject({
        name: 'built',
        include: PROGRAM_TESTS,
        url: '',
        excluded: process.env.TEST_BROWSER ? [] : [BROWSER_TESTS],
      }),
      databaseProject({ name: 'cases', include: MANY_CASES, url: '', excluded: elsewhere }),
      databaseProject({
        name: 'embedded',
        include: [DATABASE_TESTS],
        url: '',
        excluded: [...elsewhere, ...MANY_CASES],
      }),
      ...(postgresUrl ? onPostgres(postgresUrl) : []),
    ],
  },
});
