import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { isStale } from './scripts/compile.mjs';

/** Tests run what was compiled: they must not pass, or fail, for a source that has changed since. */
const stale = ['server', 'simulator', 'sdk', 'bench'].filter(isStale);
if (stale.length > 0)
  throw new Error(
    `Sources of ${stale.join(', ')} have changed since they were compiled: run "npm run build", or use "npm test".`,
  );

/** Tests that need a database end in `.db.test.ts`; they run on the embedded one, and on PostgreSQL when it is there. */
const DATABASE_TESTS = '**/*.db.test.ts';
/** Several processes on one database, or connections that end: there is nothing like it on the embedded one. */
const POSTGRES_TESTS = '**/*.pg.test.ts';
/** Tests of the built programs; the name of their project makes them, the slowest, start first. */
const PROGRAM_TESTS = ['e2e/**/*.test.ts'];
/** They need a Chromium, which TEST_BROWSER names. */
const BROWSER_TESTS = '**/*.browser.test.ts';
/** A whole run (`npm run prove`) leaves nothing out. */
const isWhole = Boolean(process.env.TEST_WHOLE);
/**
 * Tests that run on one database: on PostgreSQL where there is a server, and else on the embedded database. The
 * service does the same on both. Tests of stores, and of how databases are opened, copied, restored and cleaned up,
 * run on both; in a whole run, all but those of the HTTP interface do.
 */
const ONCE = [
  'server/src/*/http/**/*.db.test.ts',
  'server/src/http/**/*.db.test.ts',
  'server/src/bin/monitoring/*.db.test.ts',
  ...(isWhole ? [] : ['server/src/!(backups|maintenance)/{actions,workers}/**', 'server/src/bin/**', 'sdk/**']),
];
/** Take minutes: only in a whole run. The fuzzer, which does the same, takes its time from an option. */
const LONG = isWhole
  ? []
  : ['bench/src/fuzz/{fuzz,store-and-read}.db.test.ts', 'bench/src/fuzz/fuzz-killed.pg.test.ts'];
/** Shows the answers of an installation without cells. */
const ONE_CELL = 'server/src/http/examples.db.test.ts';
/** Each tries every operation, thousands of cases, or every alert. */
const MANY_CASES = [
  'bench/src/fuzz/{fuzz,store-and-read}.db.test.ts',
  'server/src/http/examples.db.test.ts',
  'server/src/http/security/*.db.test.ts',
  'server/src/bin/monitoring/*.db.test.ts',
];
/** Each waits long for what takes real time: retries, limits, outages, restores. */
const LONG_WAITS = [
  'server/src/access/actions/suspend-tenant.db.test.ts',
  'server/src/backups/actions/backup.db.test.ts',
  'server/src/billing/store/plans.db.test.ts',
  'server/src/conversations/workers/bulk-changer.db.test.ts',
  'server/src/database/hot-statements.db.test.ts',
  'server/src/media/http/tus/resumable.db.test.ts',
  'server/src/media/workers/media-fetcher.db.test.ts',
  'server/src/messages/http/waiting.db.test.ts',
  'server/src/messages/workers/{limits,storms,unknown,waiting}.db.test.ts',
  'server/src/notifications/workers/push-sender.db.test.ts',
  'server/src/rules/actions/rules.db.test.ts',
  'server/src/webhooks/http/webhook-endpoints.db.test.ts',
];
/** PostgreSQL has its own version of these, which also ends connections. */
const EMBEDDED_ALONE = ['bench/src/fuzz/{fuzz,store-and-read}.db.test.ts'];
/** Makes the migrated database that each file with a database copies. */
const TEMPLATE = './server/src/testing/database/template-database.ts';
const root = import.meta.dirname;
/** Sources that `npm run build` compiles; those of `e2e` find files by their own place. */
const SOURCE = new RegExp(`^${root}/(server|simulator|sdk|bench)/(src|bin)/(.*)\\.ts$`);
/** Imports `?statements` through Vite. */
const READER = `${root}/server/src/testing/database/declared-statements.ts`;
const COMPILED_READER = `${root}/server/dist/testing/database/declared-statements.js`;
/** Imports another package by its path, which differs from that of what is compiled. */
const ACROSS = `${root}/sdk/src/testing/`;

interface Resolving {
  resolve(source: string, importer: string | undefined, options: object): Promise<{ readonly id: string } | null>;
}

const SETUP = './scripts/property-seed.mjs';
const EXCLUDED = ['**/node_modules/**', '**/dist/**', ...LONG];

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

/**
 * Tests import compiled sources, which `npm test` has brought up to date: Node loads them natively, while Vite would transform and
 * evaluate every source for every process (docs/decisions/0106).
 */
const runCompiled = {
  name: 'run-compiled',
  enforce: 'pre' as const,
  async resolveId(this: Resolving, source: string, importer: string | undefined, options: object) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved && { ...resolved, id: resolved.id === COMPILED_READER ? READER : compiledFrom(resolved.id) };
  },
};

function compiledFrom(id: string): string {
  const [, folder, part, name] = SOURCE.exec(id) ?? [];
  const staysSource = id === READER || id.startsWith(ACROSS) || id.endsWith('.test.ts');
  if (folder === undefined || staysSource) return id;
  return folder === 'server' ? `${root}/server/dist/${name}.js` : `${root}/${folder}/dist/${part}/${name}.js`;
}

const compiled = { plugins: [exposeStatements, runCompiled] };
/** Tests that replace modules run on sources, which our packages offer under this condition. */
const fromSources = {
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
  server: { deps: { external: [/\/(?:server|simulator|sdk|bench)\/dist\//] } },
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
  return { ...compiled, test: { ...shared, name, include, exclude, env, globalSetup: TEMPLATE } };
}

/**
 * Every operation is called through the door in front of two cells by the tests of all operations. Other tests have one cell, and
 * two in a whole run.
 */
const THROUGH_THE_DOOR = isWhole ? DATABASE_TESTS : 'server/src/http/**/*.db.test.ts';
/** `examples.db.test.ts` needs one cell. */
const BEHIND_THE_DOOR_ONLY = 'server/src/http/**/!(examples).db.test.ts';

function onPostgres(url: string) {
  const behindDoor = { name: 'cells', include: [THROUGH_THE_DOOR], url, cell: 'tests' };
  const include = [POSTGRES_TESTS, ONE_CELL, ...(isWhole ? [] : [DATABASE_TESTS])];
  const excluded = [...EMBEDDED_ALONE, ...(isWhole ? [] : [BEHIND_THE_DOOR_ONLY])];
  return [
    databaseProject({ ...behindDoor, excluded: [ONE_CELL, ...EMBEDDED_ALONE] }),
    databaseProject({ name: 'postgres', include, url, excluded }),
  ];
}

const postgresUrl = process.env.TEST_DATABASE_URL;
/** Tests that do not run on the embedded database when there is a PostgreSQL server. */
const elsewhere = postgresUrl ? ONCE : [];

export default defineConfig({
  test: {
    // More than the cores: many tests wait for timers, the network or a killed process.
    maxWorkers: availableParallelism() + 2,
    retry: 0,
    projects: [
      {
        ...compiled,
        test: {
          ...shared,
          name: 'plain',
          include: ['**/*.test.ts'],
          exclude: [...EXCLUDED, DATABASE_TESTS, POSTGRES_TESTS, ...PROGRAM_TESTS, ...REPLACING_TESTS],
        },
      },
      { ...fromSources, test: { ...shared, name: 'replacing', include: REPLACING_TESTS, isolate: true } },
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
        excluded: [...elsewhere, ...MANY_CASES, ...LONG_WAITS],
      }),
      databaseProject({ name: 'long', include: LONG_WAITS, url: '', excluded: elsewhere }),
      ...(postgresUrl ? onPostgres(postgresUrl) : []),
    ],
  },
});
