import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import { withEvents } from '#events/actions/with-events';
import { interpretCallback } from '#inbound/domain/callback';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { callbackBody } from '#testing/test-callbacks';
import { TestClock, testRuntime } from '#testing/test-runtime';
import type { OwnedIdentityChange } from './join-contacts.ts';
import { storeInbound } from './store-inbound.ts';

/** Histories of one run, each of a tenant of its own: they share transactions, which is what costs. */
const TENANTS = 25;
/** More of them with CALLBACK_CASES: 40 are a thousand histories. */
const RUNS = Number(process.env.CALLBACK_CASES ?? 2);
const NUMBERS = ['7001', '7002'];
const ERA_S = 100;
const START_S = 1_790_000_000;

const rt = testRuntime({}, new TestClock());
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

/** While a person has one number and one user id; then the number, the user id or both change, and it is reported or not. */
const era = fc.record({
  shows: fc.array(fc.constantFrom('phone', 'userId', 'both'), { minLength: 1, maxLength: 3 }),
  report: fc.constantFrom(
    'number',
    'number with ids',
    'number with ids',
    'id',
    'field',
    'field with number',
    'nothing',
  ),
});
const person = fc.array(era, { minLength: 1, maxLength: 3 });
const history = fc.record({
  people: fc.array(person, { minLength: 2, maxLength: 2 }),
  order: fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }),
  again: fc.array(fc.nat(1_000), { maxLength: 4 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Person = History['people'][number];

/** What arrives, and the names that it shows to be one person's. */
interface Arrival {
  readonly body: string;
  readonly names: readonly string[];
  /** Whether it says nothing of people whom nobody knows. */
  readonly isQuiet: boolean;
}

const phoneOf = (owner: number, index: number) => `4477009${owner}000${index}`;
const userIdOf = (owner: number, index: number) => `GB.${owner}${index}`;

function arrivalsOf(owner: number, eras: Person): readonly Arrival[] {
  return eras.flatMap(({ shows, report }, index) => {
    const [phone, userId] = [phoneOf(owner, index), userIdOf(owner, index)];
    const messages = shows.map((show, place) => {
      const names = { phone: show === 'userId' ? null : phone, userId: show === 'phone' ? null : userId };
      return messageOf(`${owner}.${index}.${place}`, index * ERA_S + place + 1, names, {});
    });
    const change = index + 1 < eras.length ? changeOf(owner, index, report) : null;
    return change === null ? messages : [...messages, change];
  });
}

function messageOf(
  id: string,
  second: number,
  { phone, userId }: { readonly phone: string | null; readonly userId: string | null },
  fields: object,
): Arrival {
  const names = [phone, userId].filter((name) => name !== null);
  const text = { type: 'text', text: { body: 'Hi' }, timestamp: String(START_S + second) };
  const sender = { from: phone ?? undefined, from_user_id: userId ?? undefined };
  const messages = [{ id: `wamid.${id}`, ...sender, ...text, ...fields }];
  const [phoneNumberId = ''] = second % 2 === 0 ? NUMBERS : NUMBERS.toReversed();
  return { body: callbackBody({ phoneNumberId, messages }), names, isQuiet: false };
}

function changeOf(owner: number, index: number, report: string): Arrival | null {
  const second = (index + 1) * ERA_S;
  const [wasPhone, isPhone] = [phoneOf(owner, index), phoneOf(owner, index + 1)];
  const [wasId, isId] = [userIdOf(owner, index), userIdOf(owner, index + 1)];
  const ids = { previous_user_id: wasId, user_id: isId };
  const notice = (phone: string | null, names: readonly string[], system: object): Arrival => {
    const fields = { type: 'system', text: undefined, system };
    return { ...messageOf(`${owner}.${index}.change`, second, { phone, userId: null }, fields), names };
  };
  const number = { type: 'user_changed_number', wa_id: isPhone };
  if (report === 'number') return notice(wasPhone, [wasPhone, isPhone], number);
  if (report === 'number with ids') return notice(wasPhone, [wasPhone, isPhone, wasId, isId], { ...number, ...ids });
  if (report === 'id') return notice(null, [wasId, isId], { type: 'user_changed_user_id', ...ids });
  if (report === 'nothing') return null;
  const wa_id = report === 'field' ? undefined : isPhone;
  const update = { wa_id, user_id: { previous: wasId, current: isId }, timestamp: String(START_S + second) };
  const value = { metadata: { phone_number_id: NUMBERS[0] }, user_id_update: [update] };
  const body = { entry: [{ id: '3', changes: [{ field: 'user_id_update', value }] }] };
  return { body: JSON.stringify(body), names: [wasId, isId, ...(wa_id ? [wa_id] : [])], isQuiet: true };
}

/** A history in the order in which it arrives, some of it twice. What nobody knows yet cannot be reported in a field of its own. */
function inOrder({ people, order, again }: History): readonly Arrival[] {
  const all = people.flatMap((eras, owner) => arrivalsOf(owner, eras));
  const shuffled = all
    .map((arrival, index) => ({ arrival, at: order[index % order.length] ?? 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ arrival }) => arrival);
  const twice = again.flatMap((index) => shuffled[index % shuffled.length] ?? []);
  const waiting = [...shuffled, ...twice];
  const known = new Set<string>();
  const arranged: Arrival[] = [];
  for (;;) {
    const next = waiting.findIndex(({ isQuiet, names }) => !isQuiet || names.some((name) => known.has(name)));
    const [arrival] = next < 0 ? [] : waiting.splice(next, 1);
    if (arrival === undefined) return [...arranged, ...waiting];
    for (const name of arrival.names) known.add(name);
    arranged.push(arrival);
  }
}

/** The names that belong together, whatever the order: all that are shown together, directly or by others. */
function groupsOf(arrivals: readonly Arrival[]): readonly (readonly string[])[] {
  let groups: ReadonlySet<string>[] = [];
  for (const { names } of arrivals) {
    const touched = groups.filter((group) => names.some((name) => group.has(name)));
    groups = [
      ...groups.filter((group) => !touched.includes(group)),
      new Set([...names, ...touched.flatMap((one) => [...one])]),
    ];
  }
  return groups.map((group) => [...group].map(phoneKey).sort()).sort();
}

async function arrive(arrivals: readonly { readonly tenantId: TenantId; readonly arrival: Arrival }[]): Promise<void> {
  const items = arrivals.flatMap(({ tenantId, arrival }) =>
    interpretCallback(JSON.parse(arrival.body)).map((item) => ({ tenantId, item })),
  );
  const inbound = items.flatMap(({ tenantId, item }) => (item.kind === 'inbound' ? [{ tenantId, item }] : []));
  const changes = items.flatMap(({ tenantId, item }): readonly OwnedIdentityChange[] =>
    item.kind === 'identity' ? [{ ...item, tenantId }] : [],
  );
  expect(inbound.length + changes.length).toBe(items.length);
  const nowMs = rt.clock.now();
  await withEvents(rt, database.db, (tx, events) =>
    storeInbound(rt, tx, { inbound, identities: changes, events, nowMs }),
  );
}

async function rowsOf<Row>(tenantId: TenantId, name: string, text: string): Promise<readonly Row[]> {
  return (await database.db.run<Row>({ name: `test_orders_${name}`, text }, [tenantId])).rows;
}

async function requireOnePersonOneContact(
  tenantId: TenantId,
  { people }: History,
  arrivals: readonly Arrival[],
): Promise<void> {
  const identities = await rowsOf<{ names: readonly string[] }>(
    tenantId,
    'identities',
    'select array_agg(value order by value collate "C") as names from contact_identities where tenant_id = $1 group by contact_id',
  );
  const isHeard = (group: readonly string[]) =>
    arrivals.some(({ isQuiet, names }) => !isQuiet && names.some((name) => group.includes(name)));
  expect(identities.map(({ names }) => names).toSorted()).toEqual(groupsOf(arrivals).filter(isHeard));
  const contacts = await rowsOf<{ phone: string | null; user_id: string | null }>(
    tenantId,
    'contacts',
    'select phone, user_id from contacts where tenant_id = $1 and merged_into is null',
  );
  expect(contacts).toHaveLength(identities.length);
  for (const [owner, eras] of people.entries()) {
    // Whoever reported each change is written to by the last number and user id.
    const reports = eras.slice(0, -1);
    if (!reports.every(({ report }) => report === 'number with ids')) continue;
    const last = { phone: phoneOf(owner, reports.length), user_id: userIdOf(owner, reports.length) };
    if (reports.length > 0) expect(contacts).toContainEqual(last);
  }
  const misplaced = await rowsOf(
    tenantId,
    'misplaced',
    `select m.message_id from inbound_messages m
    left join conversations v on v.tenant_id = m.tenant_id and v.conversation_id = m.conversation_id
    join contacts c on c.tenant_id = m.tenant_id and c.contact_id = m.contact_id
    where m.tenant_id = $1 and (c.merged_into is not null or v.contact_id <> m.contact_id or (m.opens_window and v.contact_id is null))`,
  );
  expect(misplaced).toEqual([]);
  const doubles = await rowsOf(
    tenantId,
    'doubles',
    `select contact_id from conversations where tenant_id = $1 and status <> 'resolved'
    group by contact_id, phone_number_id having count(*) > 1`,
  );
  expect(doubles).toEqual([]);
  const [stored] = await rowsOf<{ n: number }>(
    tenantId,
    'stored',
    'select count(*)::int as n from inbound_messages where tenant_id = $1',
  );
  expect(stored?.n).toBe(new Set(arrivals.filter(({ isQuiet }) => !isQuiet).map(({ body }) => body)).size);
}

test('messages under any names, changes of these, duplicates and replays, in any order, end in the same contacts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: TENANTS, maxLength: TENANTS }), async (histories) => {
      const all = histories.map((one) => ({ history: one, tenantId: rt.newId<TenantId>(), arrivals: inOrder(one) }));
      const longest = Math.max(...all.map(({ arrivals }) => arrivals.length));
      for (let step = 0; step < longest; step += 1) {
        const next = all.flatMap(({ tenantId, arrivals }) =>
          arrivals.slice(step, step + 1).map((arrival) => ({ tenantId, arrival })),
        );
        await arrive(next);
      }
      for (const one of all) await requireOnePersonOneContact(one.tenantId, one.history, one.arrivals);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
