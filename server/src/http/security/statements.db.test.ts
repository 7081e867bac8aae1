import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthenticator } from '#access/actions/authenticate';
import { createApiKey, revokeApiKey } from '#access/actions/manage-tenants';
import { makeApiKey } from '#core/caller/api-key';
import type { QueryResult, SqlRunner, Statement } from '#database/database';
import { perform, planOf } from '#http/security/testing/calls';
import { make, makeFullTenant, missingLike } from '#http/security/testing/world';
import { described } from '#http/testing/described';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * What a clock would show: an answer takes as long as its statements. What is another tenant's, and a key that is refused,
 * must cost the same statements with as many rows as what does not exist.
 */
let kit: TestService;
let owner: TestTenant;
let stranger: TestTenant;
let recorded: string[] = [];

/** Other work of the service makes statements meanwhile: what a request makes, it makes each time. */
const TIMES = 4;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester,dispatcher' } });
  owner = await makeFullTenant(kit);
  stranger = await makeTestTenant(kit);
  record();
});
afterAll(() => kit.close());

/** From now on every statement of the service is noted with its number of rows. */
function record(): void {
  const { db } = kit.service;
  const note = <T extends Pick<QueryResult<unknown>, 'rows'>>(name: string, result: T): T => {
    recorded.push(`${name}: ${result.rows.length} rows`);
    return result;
  };
  const noting = <R extends SqlRunner>(runner: R): R => {
    const run = runner.run.bind(runner);
    return Object.assign(runner, {
      run: async (statement: Statement, values: readonly unknown[]) =>
        note(statement.name, await run(statement, values)),
    });
  };
  const transaction = db.transaction.bind(db);
  const executor = db.kysely.getExecutor();
  const executeQuery = executor.executeQuery.bind(executor);
  Object.assign(noting(db), {
    transaction: (work: (tx: SqlRunner) => Promise<unknown>) => transaction((tx) => work(noting(tx))),
  });
  Object.assign(executor, {
    executeQuery: async (...asked: Parameters<typeof executeQuery>) => note(asked[0].sql, await executeQuery(...asked)),
  });
}

/** The statements that a request makes every time, in order of their names. */
async function statementsOf(request: () => Promise<unknown>): Promise<readonly string[]> {
  let common: readonly string[] | null = null;
  for (let time = 0; time < TIMES; time += 1) {
    recorded = [];
    await request();
    const rest = [...recorded];
    common = (common ?? [...rest]).filter((one) => {
      const index = rest.indexOf(one);
      if (index >= 0) rest.splice(index, 1);
      return index >= 0;
    });
  }
  return (common ?? []).toSorted();
}

const withPathIds = described.filter(({ id, pathNames }) => pathNames.length > 0 && planOf(id).names !== undefined);

describe('the statements of an answer', () => {
  test('are recorded: one that finds a message makes some, with rows', async () => {
    const operation = withPathIds.find(({ id }) => id === 'getMessage');
    if (operation === undefined) throw new Error('There is no getMessage.');
    const ids = { id: await make(kit, owner, 'queued') };
    const found = await statementsOf(() => perform(kit, owner.key, operation, { ids }));
    expect(found).toContainEqual(expect.stringMatching(/: 1 rows$/));
    expect(await statementsOf(() => perform(kit, stranger.key, operation, { ids }))).not.toEqual(found);
  });

  test.each(withPathIds)('are the same for an id of another tenant and for one of nobody: $id', async (operation) => {
    const [[name = '', resource] = []] = Object.entries(planOf(operation.id).names ?? {});
    if (resource === undefined) throw new Error(`${operation.id} names nothing in its path.`);
    const foreign = await make(kit, owner, resource);
    const ask = (id: string) => () => perform(kit, stranger.key, operation, { ids: { [name]: id } });
    const ofForeign = await statementsOf(ask(foreign));
    expect(ofForeign).toEqual(await statementsOf(ask(missingLike(kit, foreign))));
  });
});

describe('a key that is refused', () => {
  test('is looked for by its digest alone, at the same cost whether it was revoked, begins right or is nobody’s', async () => {
    const { db } = kit.service;
    const parts = { tenantId: owner.tenantId, name: 'timed', mode: 'live', scopes: [], expiresMs: null } as const;
    const right = await createApiKey(kit.rt, db, parts);
    const revoked = await createApiKey(kit.rt, db, parts);
    await revokeApiKey(kit.rt, db, { tenantId: owner.tenantId, keyId: revoked.keyId });
    const asked: unknown[] = [];
    const watching = Object.assign(Object.create(db), {
      run: async (statement: Statement, values: readonly unknown[]) => {
        const result = await db.run(statement, values);
        asked.push([statement.name, values.flat().filter((value) => typeof value === 'string'), result.rows.length]);
        return result;
      },
    });
    for (const key of [revoked.key, likeTheBeginningOf(right.key), makeApiKey('live', randomBytes)]) {
      expect(await makeAuthenticator(kit.rt, watching).authenticate(key)).toBeNull();
    }
    const digest = expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/);
    expect(asked).toEqual(Array.from({ length: 3 }, () => ['key_find_by_hash', [digest], 0]));
  });
});

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed key whose secret differs from that of another one in its last character alone. */
function likeTheBeginningOf(key: string): string {
  const letters = [...key.slice('pr_live_'.length, -'check!'.length)].map((letter) => ALPHABET.indexOf(letter));
  const last = letters.pop() ?? 0;
  return makeApiKey('live', () => Uint8Array.from([...letters, (last + 1) % ALPHABET.length]));
}
