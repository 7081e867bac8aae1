import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService } from '#bin/service';
import type { JsonValue } from '#core/json';
import { idsFor, perform, planOf } from '#http/security/testing/calls';
import { bodyReferences, filters } from '#http/security/testing/references';
import { make, makeFullTenant, rowsOf } from '#http/security/testing/world';
import { described } from '#http/testing/described';
import { FENCE_HEADER, putFence, type RowFence } from '#testing/database/row-fence';
import { tablesOfTenants, tenantFaults } from '#testing/database/tenant-bounds';
import { testRuntime } from '#testing/test-runtime';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import type { TestTenant } from '#testing/test-tenant';

/*
 * Every operation once more, in a process whose statements run under a role that row level security keeps to the rows of the tenant that
 * asks: none needs a row of another tenant, and none meets one.
 */

/** What runs outside of the fence for a request, since it serves several tenants at once. */
const SHARED: readonly string[] = [
  // A key, and nothing else of a request, says whose it is. It is found by the hash of the whole key.
  'key_find_by_hash',
  // What a message needs to know of its tenant is asked for all that send; see messages/actions/many-tenants.db.test.ts.
  ...['tenant_send_rules', 'number_list_of_many', 'subscription_find_many', 'suppression_changes_of_many'],
  'template_book_revisions',
  // Messages of several tenants are stored together; see messages/store/shared-batch.db.test.ts.
  'accept_batch',
  // A person belongs to no tenant: an invitation makes one, with a link.
  ...['user_insert', 'sign_in_link_insert', 'sign_in_links_delete', 'invitation_take_back'],
  // People and their links are found by the agents of the tenant alone; see users/http/people.db.test.ts.
  'colleague_page',
  // Whether somebody works in other tenants too is asked of those.
  'user_works_elsewhere',
];
/** Tables of the installation that requests of tenants read. */
const READABLE: readonly string[] = ['plans', 'wallet_prices', 'settings', 'dispatchers'];
/** No two answers are alike: each names its moment, or records itself in the log that it exports. */
const OF_THE_MOMENT: readonly string[] = ['getLinkUrl', 'getBusinessHoursState', 'getFlow', 'exportAuditLog'];

let kit: TestService;
/** The same with an API within the fence. */
let fenced: TestService;
let owner: TestTenant;
/** One that nothing was asked for but the making of its things: what a write leaves to the workers would move rows later. */
let untouched: TestTenant;
let stranger: TestTenant;
let fence: RowFence;

beforeAll(async () => {
  kit = await startTestService({
    config: { roles: 'api,receiver,ingester,dispatcher,maintenance', webhookEndpoints: 1_000 },
  });
  owner = await makeFullTenant(kit);
  untouched = await makeFullTenant(kit);
  stranger = await makeFullTenant(kit);
  // Apart from the workers: one that a request wakes would count as a part of it.
  const service = await startService(testRuntime({ ...kit.rt.config, port: 0, roles: 'api' }));
  fenced = { ...kit, service };
  fence = await putFence(service.db, { across: new Set(SHARED), readable: READABLE });
});
afterAll(async () => {
  fence.remove();
  await fenced.service.close();
  await kit.close();
});

const ofTenants = described.filter(({ scope }) => scope !== null);
const reads = ofTenants.filter(({ method }) => method === 'GET');
const writes = ofTenants.filter(({ method }) => method !== 'GET');
const withPathIds = ofTenants.filter(({ id, pathNames }) => pathNames.length > 0 && planOf(id).names !== undefined);
const inBodies = ofTenants.flatMap((operation) =>
  Object.entries(bodyReferences[operation.id] ?? {}).map(([place, reference]) => ({ operation, place, reference })),
);
const inFilters = ofTenants.flatMap((operation) =>
  Object.entries(filters[operation.id] ?? {}).flatMap(([name, findable]) =>
    findable ? [{ operation, name, findable }] : [],
  ),
);

const open = { 'x-request-id': 'the-same' };
const within = ({ tenantId }: TestTenant) => ({ ...open, [FENCE_HEADER]: tenantId });

/** Status, headers and body of an answer, without the moment. */
function bytesOf({ status, headers, text }: Answer): readonly unknown[] {
  return [status, [...headers].filter(([name]) => name !== 'date'), text];
}

/** What two answers about different things of a kind have in common. */
function shapeOf({ status, body }: Answer): readonly unknown[] {
  return [status, kindOf(body)];
}

function kindOf(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(kindOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kindOf(member)]));
}

describe('within the rows of its tenant', () => {
  test.each(reads)('$id answers byte for byte as it does without the fence', async (operation) => {
    const ids = await idsFor(kit, owner, operation);
    const told = OF_THE_MOMENT.includes(operation.id) ? shapeOf : bytesOf;
    const ask = (headers: Readonly<Record<string, string>>) => perform(fenced, owner.key, operation, { ids, headers });
    // The workers go on meanwhile: what an answer says is settled once it is the same before and after.
    let [before, answer, after] = [await ask(open), await ask(within(owner)), await ask(open)];
    while (!isDeepStrictEqual(told(before), told(after))) {
      [before, answer, after] = [after, await ask(within(owner)), await ask(open)];
    }
    expect(told(answer)).toEqual(told(after));
    expect(answer.status).toBe(planOf(operation.id).status);
  });

  test.each(writes)('$id does what it does without the fence', async (operation) => {
    const { freshJson } = planOf(operation.id);
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const ids = await idsFor(kit, owner, operation);
      return perform(fenced, owner.key, operation, { ids, headers, ...(freshJson && { json: freshJson() }) });
    };
    const answer = await ask(within(owner));
    expect(shapeOf(answer)).toEqual(shapeOf(await ask(open)));
    expect(answer.status).toBe(planOf(operation.id).status);
  });

  test.each(inBodies)('$operation.id takes its own id at $place', async ({ operation, reference }) => {
    const ids = await idsFor(kit, owner, operation);
    const json = reference.body(await make(kit, owner, reference.names));
    const answer = await perform(fenced, owner.key, operation, { ids, json, headers: within(owner) });
    const [item] = answer.body?.data ?? [];
    expect([answer.status, item?.error]).toEqual([
      reference.status ?? planOf(operation.id).status,
      reference.itemError,
    ]);
  });

  test.each(inFilters)('$operation.id finds its own by $name', async ({ operation, name, findable }) => {
    const search = `?${new URLSearchParams({ [name]: await findable(owner) })}`;
    const answer = await perform(fenced, owner.key, operation, { search, headers: within(owner) });
    expect(bytesOf(answer)).toEqual(bytesOf(await perform(fenced, owner.key, operation, { search, headers: open })));
    expect(answer.status).toBe(200);
  });
});

describe('the fence', () => {
  test.each(withPathIds)('keeps $id from what is outside of it', async (operation) => {
    const ids = await idsFor(kit, untouched, operation);
    const before = await rowsOf(kit, untouched);
    const answer = await perform(fenced, untouched.key, operation, { ids, headers: within(stranger) });
    // An operation that writes before it reads fails at that.
    expect([400, 404, 500]).toContain(answer.status);
    expect(await rowsOf(kit, untouched)).toEqual(before);
  });

  test('is around every table of tenants, and a statement without a tenant reads no row of them', async () => {
    for (const table of fence.tables) {
      const read = { name: `test_read_${table}`, text: `select count(*)::integer as rows from ${table}` };
      const reading = fence.as(null, (tx) => tx.run(read, []));
      // The setting is unknown to a connection at first, and empty after its first transaction with a tenant.
      await expect(reading, table).rejects.toThrow(/"fence\.tenant"|syntax for type uuid/);
    }
    expect(fence.tables.length).toBeGreaterThan(80);
  });

  test('was around all that these requests ran, but for what serves several tenants at once', () => {
    expect([...fence.outside].toSorted()).toEqual(SHARED.toSorted());
    expect(fence.within.size).toBeGreaterThan(250);
  });

  test('met no statement that binds no tenant, also of those that are put together at run time', async () => {
    const schema = readFileSync(new URL('../../../migrations/schema.sql', import.meta.url), 'utf8');
    const tables = await tablesOfTenants(schema);
    const faulty: string[] = [];
    for (const { name, text } of fence.within.values())
      if ((await tenantFaults(text, tables)).length > 0) faulty.push(`${name}: ${text}`);
    expect(faulty).toEqual([]);
  });
});
