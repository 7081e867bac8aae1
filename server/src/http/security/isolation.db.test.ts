import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls, idsFor, perform, planOf } from '#http/security/testing/calls';
import { bodyReferences, filters, foreignNames } from '#http/security/testing/references';
import { make, makeFullTenant, missingLike, type ResourceName, rowsOf } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * Two tenants and every place of the OpenAPI document where one could name what belongs to the other: paths, bodies,
 * filters, cursors. What is another's must answer as what does not exist. Idempotency keys: see idempotency.db.test.ts.
 */
let kit: TestService;
let owner: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  // Without the campaigner: a campaign that is started moves by itself.
  kit = await startTestService({ config: { roles: 'api,receiver,ingester,dispatcher,maintenance' } });
  owner = await makeFullTenant(kit);
  stranger = await makeFullTenant(kit);
});
afterAll(() => kit.close());

const REQUEST_ID = { 'x-request-id': 'the-same' };

/** Status, headers and body of an answer, without the moment and with the asked id written as `{id}`. */
function bytesOf(answer: Answer, id: string): readonly unknown[] {
  const headers = [...answer.headers].filter(([name]) => name !== 'date');
  return [answer.status, headers, answer.text].map((part) => JSON.stringify(part).replaceAll(id, '{id}'));
}

/** What the stranger asks for of the owner's. Made once of a kind, since each test proves that nothing of it changed. */
const madeForeign = new Map<ResourceName, Promise<string>>();
function foreignOf(resource: ResourceName): Promise<string> {
  const made = madeForeign.get(resource) ?? make(kit, owner, resource);
  madeForeign.set(resource, made);
  return made;
}

/** Asks as the stranger for what is the owner's and for what nobody owns; both must be the same bytes. */
async function expectSame(ask: (id: string) => Promise<Answer>, foreignId: string, missingId: string): Promise<Answer> {
  const before = await rowsOf(kit, owner);
  expect(Object.keys(before).length).toBeGreaterThan(20);
  const foreign = await ask(foreignId);
  const missing = await ask(missingId);
  expect(bytesOf(foreign, foreignId)).toEqual(bytesOf(missing, missingId));
  expect(await rowsOf(kit, owner)).toEqual(before);
  return foreign;
}

function filterNames({ query }: Described): readonly string[] {
  const isFilter = ({ name, schema }: Described['query'][number]): boolean =>
    schema.type === 'string' && schema.enum === undefined && schema.format !== 'date-time' && name !== 'cursor';
  return query.filter(isFilter).map(({ name }) => name);
}

const withPathIds = described.filter(({ id, pathNames }) => pathNames.length > 0 && planOf(id).names !== undefined);
const inBodies = described.flatMap((operation) =>
  Object.entries(bodyReferences[operation.id] ?? {}).map(([place, reference]) => ({ operation, place, reference })),
);
const inFilters = described.flatMap((operation) =>
  filterNames(operation).flatMap((name) => {
    const findable = filters[operation.id]?.[name];
    return findable ? [{ operation, name, findable }] : [];
  }),
);

describe('the tables of these tests', () => {
  test('know how to call every operation, and no other', () => {
    expect(Object.keys(calls).toSorted()).toEqual(described.map(({ id }) => id).toSorted());
  });

  test.each(described)('know every id of $id', ({ id, pathNames, idPlaces }) => {
    const { names = {}, fixed = {} } = planOf(id);
    expect([...Object.keys(names), ...Object.keys(fixed)].toSorted()).toEqual(pathNames.toSorted());
    const known = [...Object.keys(bodyReferences[id] ?? {}), ...(foreignNames[id] ?? [])];
    expect(known.toSorted()).toEqual(idPlaces.toSorted());
  });

  test.each(described)('know every filter of $id', (operation) => {
    expect(Object.keys(filters[operation.id] ?? {}).toSorted()).toEqual(filterNames(operation).toSorted());
  });
});

describe('what belongs to another tenant answers as what does not exist', () => {
  test.each(withPathIds)('in the path of $id', async (operation) => {
    const [[name = '', resource] = []] = Object.entries(planOf(operation.id).names ?? {});
    if (resource === undefined) throw new Error(`${operation.id} names nothing in its path.`);
    const foreign = await foreignOf(resource);
    const ask = (id: string) => perform(kit, stranger.key, operation, { ids: { [name]: id }, headers: REQUEST_ID });
    expect((await expectSame(ask, foreign, missingLike(kit, foreign))).status).toBe(404);
  });

  test.each(inBodies)('in the body of $operation.id at $place', async ({ operation, reference }) => {
    const foreign = await foreignOf(reference.names);
    const ids = await idsFor(kit, stranger, operation);
    const ask = async (id: string) =>
      perform(kit, stranger.key, operation, { ids, json: reference.body(id), headers: REQUEST_ID });
    const answer = await expectSame(ask, foreign, missingLike(kit, foreign));
    // A batch says it per item, a dry run as a blocker; one that names things by their ids says that there are none.
    const blocked = answer.body.blockers?.length > 0 ? 400 : undefined;
    expect([400, 404]).toContain(blocked ?? (answer.status === 200 ? answer.body.data[0].status : answer.status));
  });

  test.each(inFilters)('in the filter $name of $operation.id', async ({ operation, name, findable }) => {
    const foreign = await findable(owner);
    const search = (value: string) => `?${new URLSearchParams({ [name]: value })}`;
    const ask = (value: string) =>
      perform(kit, stranger.key, operation, { search: search(value), headers: REQUEST_ID });
    const missing = missingLike(kit, foreign);
    const { body, text } = await expectSame(ask, foreign, missing);
    // A list without items, or a stream without lines.
    expect(body === null ? text : body.data).toEqual(body === null ? '' : []);
  });

  test.each(described.filter(hasCursor))('in the cursor of $id', async (operation) => {
    const ids = await idsFor(kit, owner, operation);
    const theirs = await idsFor(kit, stranger, operation);
    const first = await perform(kit, owner.key, operation, { ids, search: '?limit=1' });
    const foreign: string = first.body.page.next_cursor;
    expect(foreign).toBeTypeOf('string');
    const made = foreign.slice(0, 5) + (foreign[5] === 'A' ? 'B' : 'A') + foreign.slice(6);
    const ask = (cursor: string) =>
      perform(kit, stranger.key, operation, {
        ids: theirs,
        search: `?limit=1&cursor=${cursor}`,
        headers: REQUEST_ID,
      });
    expect((await expectSame(ask, foreign, made)).status).toBe(400);
    const next = await perform(kit, owner.key, operation, { ids, search: `?limit=1&cursor=${foreign}` });
    expect([next.status, next.body.data.length]).toEqual([200, 1]);
  });
});

describe('the owner is answered', () => {
  test.each(described)('by $id', async (operation) => {
    const ids = await idsFor(kit, owner, operation);
    const answer = await perform(kit, owner.key, operation, { ids });
    expect([answer.status, answer.text]).toEqual([planOf(operation.id).status, expect.any(String)]);
  });

  test.each(inBodies)('with its own id in the body of $operation.id at $place', async ({ operation, reference }) => {
    const id = await make(kit, owner, reference.names);
    const ids = await idsFor(kit, owner, operation);
    const answer = await perform(kit, owner.key, operation, { ids, json: reference.body(id) });
    const [item] = answer.body?.data ?? [];
    expect([answer.status, item?.error]).toEqual([
      reference.status ?? planOf(operation.id).status,
      reference.itemError,
    ]);
  });

  test.each(inFilters)('with its own value in the filter $name of $operation.id', async ({
    operation,
    name,
    findable,
  }) => {
    const search = `?${new URLSearchParams({ [name]: await findable(owner) })}`;
    const { body, text } = await perform(kit, owner.key, operation, { search });
    expect(body === null ? text : body.data).not.toEqual(body === null ? '' : []);
  });
});

/**
 * A tenant of these tests has a key and a number from the start; drafts and notifications are those of an agent, whom nobody has; the template
 * library is the network's, which is asked for an account.
 */
const MADE_WITH_A_TENANT = [
  ...['listApiKeys', 'listAuditLog', 'listDrafts', 'listNotifications', 'listPhoneNumbers'],
  'listTemplateLibrary',
];

test('a tenant without anything sees empty lists and nobody’s totals', async () => {
  const nobody = await makeTestTenant(kit);
  for (const operation of described.filter((one) => hasCursor(one) && isOfNothing(one))) {
    expect([operation.id, (await perform(kit, nobody.key, operation)).body.data]).toEqual([operation.id, []]);
  }
  expect((await nobody.call('GET', '/v1/wallet')).body).toMatchObject({ balance: 0, held: 0 });
  expect((await nobody.call('GET', '/v1/usage')).body).toMatchObject({ outbound: 0, inbound: 0, media_bytes: 0 });
});

/** A list of the tenant, not of something that it has. */
function isOfNothing({ id, pathNames }: Described): boolean {
  return pathNames.length === 0 && !MADE_WITH_A_TENANT.includes(id);
}

/** A search has a cursor for each kind of thing, bound to its words; its own tests try those of others. */
function hasCursor({ id, query }: Described): boolean {
  return id !== 'search' && query.some(({ name }) => name === 'cursor');
}
