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
/** Long walks over every operation that need no second database; the isolation of tenants is walked on both. */
const EMBEDDED_ALONE = [
  // Requests that are refused before any statement is made.
  'server/src/http/security/hostile-requests.db.test.ts',
  // Who may do what is decided before the operation, by what was read of the key and its agent.
  'server/src/http/security/authentication.db.test.ts',
  'server/src/http/security/rights.db.test.ts',
  // What the document says of requests and answers.
  'server/src/http/examples.db.test.ts',
  // With more callbacks it runs on PostgreSQL alone.
  ...(process.env.CALLBACK_CASES ? [] : ['server/src/inbound/workers/every-item.db.test.ts']),
  // What a file is, its bytes say.
  'server/src/media/http/media-corpus.db.test.ts',
  // On PostgreSQL the same runs while connections are ended.
  'bench/src/fuzz/fuzz.db.test.ts',
  // The program does the same on both, with more values.
  'bench/src/fuzz/store-and-read.db.test.ts',
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
  testTimeout: 180_000,
  hookTimeout: 180_000,
  teardownTimeout: 20_000,
  // The files of a process share the modules that they import: those hold no state.
  isolate: false,
  setupFiles: SETUP,
};

function databaseProject(name: string, include: string[], url: string, excluded: readonly string[] = []) {
  const exclude = [...EXCLUDED, ...excluded];
  return {
    ...common,
    test: { ...shared, name, include, exclude, env: { TEST_DATABASE_URL: url }, globalSetup: TEMPLATE },
  };
}

const postgresUrl = process.env.TEST_DATABASE_URL;

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
      databaseProject('built', PROGRAM_TESTS, '', process.env.TEST_BROWSER ? [] : [BROWSER_TESTS]),
      databaseProject('embedded', [DATABASE_TESTS], ''),
      ...(postgresUrl
        ? [databaseProject('postgres', [DATABASE_TESTS, POSTGRES_TESTS], postgresUrl, EMBEDDED_ALONE)]
        : []),
    ],
  },
});
