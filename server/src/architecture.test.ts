import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * Who may import whom (ARCHITECTURE.md has the same table) and what is done in one place only, each refusal with a sentence. The
 * table lists folders; a folder may always import itself.
 */
interface FolderRule {
  readonly may: readonly string[];
  readonly because: string;
}

const rules: Readonly<Record<string, FolderRule>> = {
  core: { may: [], because: 'core holds rules without I/O, so that they can be read and tested alone' },
  runtime: { may: ['core'], because: 'runtime is what everything else stands on' },
  storage: { may: ['core', 'runtime'], because: 'storage knows tables, not who asks' },
  network: { may: ['core', 'runtime'], because: 'a client of the outside knows nothing of our tables' },
  webhooks: { may: ['core', 'runtime'], because: 'signing and delivering knows nothing of our tables' },
  blobs: { may: ['core', 'runtime'], because: 'bytes are stored without knowing whose they are' },
  operations: { may: ['core', 'runtime', 'storage'], because: 'no outside call can then sit inside a transaction' },
  queue: { may: ['core', 'runtime'], because: 'the lane engine is handed its functions and knows no domain' },
  http: { may: ['operations', 'storage', 'blobs', 'core', 'runtime'], because: 'the API neither sends nor dispatches' },
  receiver: {
    may: ['operations', 'webhooks', 'core', 'runtime'],
    because: 'callbacks come in through a door of their own',
  },
  dispatcher: {
    may: ['queue', 'operations', 'network', 'blobs', 'core', 'runtime'],
    because: 'sending goes through operations to the tables',
  },
  notifier: {
    may: ['queue', 'operations', 'webhooks', 'blobs', 'core', 'runtime'],
    because: 'delivering goes through operations to the tables',
  },
  ingester: {
    may: ['queue', 'operations', 'network', 'blobs', 'core', 'runtime'],
    because: 'interpreting goes through operations to the tables',
  },
  campaigner: {
    may: ['queue', 'operations', 'core', 'runtime'],
    because: 'campaigns queue messages through operations, as every caller does',
  },
  maintenance: {
    may: ['queue', 'operations', 'blobs', 'core', 'runtime'],
    because: 'housekeeping goes through operations to the tables',
  },
  cli: {
    may: ['operations', 'storage', 'webhooks', 'blobs', 'core', 'runtime'],
    because: 'operator commands call the same operations as everyone',
  },
};

const source = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((file) => file.includes('/'));
const isTest = (file: string) => file.endsWith('.test.ts') || file.includes('testing/');
const production = files.filter((file) => !isTest(file));
const folderOf = (file: string) => file.split('/')[0] ?? '';

/** Text without comments and without the contents of nothing else: imports and code only. */
function codeOf(file: string): string {
  return readFileSync(join(source, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

function importsOf(file: string): readonly string[] {
  return [...codeOf(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** The folder an import leads to; null for packages. */
function targetFolder(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1).split('/')[0] ?? null;
  if (!specifier.startsWith('.')) return null;
  return folderOf(
    relative(source, join(source, dirname(file), specifier))
      .split(sep)
      .join('/'),
  );
}

function findRefusals(): readonly string[] {
  return production.flatMap((file) => {
    const folder = folderOf(file);
    const rule = rules[folder];
    if (!rule) return [`${file}: the folder ${folder} is not in the table of who may import whom`];
    return importsOf(file).flatMap((specifier) => {
      const target = targetFolder(file, specifier);
      const allowed = target === null || target === folder || rule.may.includes(target);
      return allowed
        ? []
        : [`${file} imports ${specifier}: ${folder} may not import ${target}, because ${rule.because}`];
    });
  });
}

describe('who may import whom', () => {
  test('every import points where the table allows', () => {
    expect(findRefusals()).toEqual([]);
  });

  test('the receiver takes only signature checks from webhooks', () => {
    const specifiers = production.filter((file) => folderOf(file) === 'receiver').flatMap(importsOf);
    expect(
      specifiers.filter((specifier) => specifier.startsWith('#webhooks/') && specifier !== '#webhooks/verify'),
    ).toEqual([]);
  });

  test('core uses no package that does I/O', () => {
    const pure = new Set(['uuid', 'node:crypto', 'libphonenumber-js/max', 're2js']);
    const packages = production
      .filter((file) => folderOf(file) === 'core')
      .flatMap((file) => importsOf(file).map((specifier) => `${file}: ${specifier}`))
      .filter((line) => !/: [.#]/.test(line) && !pure.has(line.split(': ')[1] ?? ''));
    expect(packages).toEqual([]);
  });

  test('the table in ARCHITECTURE.md names the same folders and rights', () => {
    const page = readFileSync(join(source, '../../ARCHITECTURE.md'), 'utf8');
    for (const [folder, { may }] of Object.entries(rules)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${folder}\` |`));
      expect(row, `ARCHITECTURE.md has no row for ${folder}`).toBeDefined();
      const cell = row?.split('|')[2] ?? '';
      expect([...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]).sort(), folder).toEqual([...may].sort());
    }
  });
});

interface Only {
  readonly name: string;
  readonly pattern: RegExp;
  readonly allowed: (file: string) => boolean;
  readonly because: string;
}

const onlys: readonly Only[] = [
  {
    name: 'SQL stands only in storage/',
    pattern:
      /\b(select\s[\s\S]{1,200}?\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\s+\w|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    allowed: (file) => folderOf(file) === 'storage',
    because: 'a statement elsewhere escapes the review of tenants, indexes and locks',
  },
  {
    name: 'certificates are checked wherever there are any',
    pattern: /rejectUnauthorized|checkServerIdentity|NODE_TLS_REJECT_UNAUTHORIZED/,
    allowed: () => false,
    because: 'whoever stands between would read access tokens',
  },
  {
    name: 'transactions are opened only in operations/ and by the migrator',
    pattern: /\.transaction\(/,
    allowed: (file) => folderOf(file) === 'operations' || file === 'storage/migrator.ts',
    because: 'one operation is one transaction, and no network call sits inside one',
  },
  {
    name: 'calls to the outside are made only in network/, webhooks/ and blobs/',
    pattern: /from 'undici'|\bfetch\(|^import (?!type )[^\n]*from 'node:https?'/m,
    allowed: (file) => ['network', 'webhooks', 'blobs', 'cli'].includes(folderOf(file)),
    because: 'timeouts, limits and classification of failures live there (the command line is a client of our own API)',
  },
  {
    name: 'names are looked up only in runtime/name-lookup.ts',
    pattern: /from 'node:dns|^(?![\s\S]*\blookup\b)[\s\S]*new (Agent|Pool|HttpAgent|HttpsAgent)\(/,
    allowed: (file) => file === 'runtime/name-lookup.ts',
    because: 'elsewhere a name without an answer holds one of the few threads that serve everybody',
  },
  {
    name: 'the environment is read only in bin/',
    pattern: /process\.env/,
    allowed: () => false,
    because: 'settings are one typed object, handed in',
  },
  {
    name: 'the clock is read only in runtime/clock.ts',
    pattern: /Date\.now\(|new Date\(\)|performance\.now\(|process\.hrtime/,
    allowed: (file) => file === 'runtime/clock.ts',
    because: 'tests move time instead of sleeping',
  },
];

describe('what is done in one place only', () => {
  test.each(onlys)('$name', ({ pattern, allowed, because }) => {
    const offenders = production.filter((file) => !allowed(file) && pattern.test(codeOf(file)));
    expect(offenders.map((file) => `${file}: not here, because ${because}`)).toEqual([]);
  });
});

describe('shape', () => {
  test('no folder is called utils, helpers, lib, common or shared', () => {
    expect(files.filter((file) => /(^|\/)(utils|helpers|lib|common|shared)\//.test(file))).toEqual([]);
  });

  test('files are in kebab-case and at most 400 lines', () => {
    expect(
      files.filter(
        (file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.db|\.pg)?(\.test)?\.ts$|^storage\/embedded-worker\.js$/.test(file),
      ),
    ).toEqual([]);
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });

  test('every refusal of the table is one that a wrong import would meet', () => {
    // The checker itself: a made-up import in the wrong direction is found.
    expect(targetFolder('core/message.ts', '#storage/database')).toBe('storage');
    expect(targetFolder('queue/lane.ts', '../storage/database.ts')).toBe('storage');
    expect(rules.core?.may.includes('storage')).toBe(false);
  });
});
