import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { STATEMENT_FILES } from '#testing/database/declared-statements';

/** Every text between backticks or quotes of database/ and of the store/ of each feature that is a statement. */
const folder = fileURLToPath(new URL('../', import.meta.url));
const statements = STATEMENT_FILES.flatMap((file) => textsOf(file).map((text) => ({ file, text }))).filter(({ text }) =>
  /\b(select|insert|update|delete)\b[\s\S]*\b(from|into|set)\b/.test(text),
);

function textsOf(file: string): readonly string[] {
  const source = readFileSync(join(folder, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return [...source.matchAll(/`([^`]+)`|'((?:[^'\\\n]|\\.)+)'/g)].map((match) => match[1] ?? match[2] ?? '');
}

function offenders(pattern: RegExp): readonly string[] {
  return statements
    .filter(({ text }) => pattern.test(text.replaceAll(HOW_LONG, '')))
    .map(({ file, text }) => `${file}: ${text.trim().slice(0, 120)}`);
}

test('the scan sees the statements of the hot path', () => {
  const files = new Set(statements.map(({ file }) => file));
  expect([...files]).toEqual(
    expect.arrayContaining(
      ['accept-batch', 'send-queue', 'settle-batch', 'status-batch', 'leases'].map(
        (name) => `messages/store/${name}.ts`,
      ),
    ),
  );
  expect(statements.length).toBeGreaterThan(30);
});

/** By it every process sets its own clock. */
const READS_THE_CLOCK =
  'database/database-clock.ts: select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms';

/** How long a statement has taken is not what time it is, and can be measured nowhere else. */
const HOW_LONG = /\bclock_timestamp\(\) < statement_timestamp\(\) \+ \$\d/g;

test('no statement but one reads a clock or draws a number: both are handed in', () => {
  expect(
    offenders(
      /\b(now|random|gen_random_uuid|uuidv7|clock_timestamp|statement_timestamp|transaction_timestamp|nextval|setseed)\s*\(/i,
    ),
  ).toEqual([READS_THE_CLOCK]);
  expect(offenders(/\b(current_timestamp|current_date|current_time|localtimestamp)\b/i)).toEqual([]);
});

/** People belong to no tenant: they may work in several. */
const OF_A_PERSON = /\bfrom users where user_id = \$1\b/;

test('no statement locks rows without naming a tenant, or one person', () => {
  const locking = statements.filter(({ text }) =>
    /\bfor\s+(no\s+key\s+)?(update|share)\b|\bskip\s+locked\b/i.test(text),
  );
  expect(locking.filter(({ text }) => !text.includes('tenant_id') && !OF_A_PERSON.test(text))).toEqual([]);
});

test.each([
  'audit_log',
  'wallet_transfers',
])('rows of %s are only ever added: no statement changes or removes one', (table) => {
  expect(offenders(new RegExp(`\\b(update|delete\\s+from|truncate)\\s+(table\\s+)?${table}\\b`, 'i'))).toEqual([]);
  expect(offenders(new RegExp(`\\binsert\\s+into\\s+${table}\\b[\\s\\S]*\\bdo\\s+update\\b`, 'i'))).toEqual([]);
  const builders = STATEMENT_FILES.filter((file) =>
    new RegExp(`(updateTable|deleteFrom|mergeInto|replaceInto)\\(\\s*'${table}`).test(
      readFileSync(join(folder, file), 'utf8'),
    ),
  );
  expect(builders).toEqual([]);
});
