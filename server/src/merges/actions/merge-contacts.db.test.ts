import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { createContact, updateContact } from '#contacts/actions/manage-contacts';
import type { ContactChange } from '#contacts/domain/contact-change';
import { updateConversation } from '#conversations/actions/change-conversation';
import type { Actor } from '#core/caller/actor';
import { ApiProblem } from '#core/errors';
import type { ContactId, PhoneNumberId, TenantId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import { storeInbound } from '#inbound/actions/store-inbound';
import type { CallbackItem, InboundItem } from '#inbound/domain/callback-items';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { mergeContacts } from './merge-contacts.ts';
import { unmergeContacts } from './unmerge-contact.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const NUMBERS = ['7001', '7002'] as PhoneNumberId[];
const actor: Actor = { kind: 'key', id: null };
let database: TestDatabase;
let tenantId: TenantId;
let written = 0;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
beforeEach(async () => {
  tenantId = await makeTenant();
});
afterAll(() => database.drop());

const makeTenant = () =>
  createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' }) as Promise<TenantId>;

/** Somebody writes to a number of the tenant, spelled as the network spells it. */
async function write(from: string, text = 'Hi', phoneNumberId = NUMBERS[0] as PhoneNumberId): Promise<void> {
  clock.advance(1_000);
  written += 1;
  const item: CallbackItem = {
    kind: 'inbound',
    phoneNumberId,
    networkMessageId: `wamid.${written}`,
    type: 'text',
    at: clock.now(),
    from,
    userId: null,
    profileName: null,
    username: null,
    body: text,
    content: { body: text },
    referral: null,
    context: null,
    groupId: null,
    opensWindow: true,
  };
  const inbound = [{ tenantId, item: item as InboundItem }];
  await withEvents(rt, database.db, (tx, events) => storeInbound(rt, tx, { inbound, events, nowMs: clock.now() }));
}

async function make(wish: ContactChange): Promise<ContactId> {
  return (await createContact(rt, database.db, { tenantId, onConflict: 'update' }, wish)).contact.contactId;
}

const merge = (contactId: string, mergedId: string) =>
  mergeContacts(rt, database.db, {
    tenantId,
    origin: OPERATOR,
    contactId,
    mergedId,
    versions: null,
    actor,
  });
const unmerge = (contactId: string) =>
  unmergeContacts(rt, database.db, { tenantId, origin: OPERATOR, contactId, actor });
const change = (contactId: string, wish: ContactChange) =>
  updateContact(rt, database.db, { tenantId, contactId, versions: null }, wish);

async function rows(text: string): Promise<readonly Record<string, unknown>[]> {
  const name = `test_${createHash('md5').update(text).digest('hex')}`;
  return (await database.db.run<Record<string, unknown>>({ name, text }, [tenantId])).rows;
}

/** Everything that a merge could touch; versions and times of change only ever grow. */
async function graph() {
  return {
    contacts: await rows(`select to_jsonb(c) - 'version' - 'updated_ms' as row from contacts c
      where tenant_id = $1 order by contact_id`),
    terms: await rows('select term, contact_id from contact_terms where tenant_id = $1 order by 1, 2'),
    identities: await rows('select kind, value, contact_id from contact_identities where tenant_id = $1 order by 1, 2'),
    conversations: await rows(`select to_jsonb(c) - 'version' - 'updated_ms' as row from conversations c
      where tenant_id = $1 order by conversation_id`),
    counts: await rows(`select status, is_waiting, sum(amount)::int as n from conversation_counts
      where tenant_id = $1 group by 1, 2 having sum(amount) <> 0 order by 1, 2`),
    messages: await rows(`select message_id, contact_id, conversation_id from inbound_messages
      where tenant_id = $1 order by 1`),
    consents: await rows(`select entry_id, contact_id, marketing, source from contact_consents
      where tenant_id = $1 and source not in ('merge', 'unmerge') order by 1`),
    silent: await rows(`select phone_key, blocked, opted_out from suppressions
      where tenant_id = $1 and (blocked or opted_out) order by 1`),
  };
}

const contactOf = async (from: string) =>
  (await rows(`select distinct contact_id from inbound_messages where tenant_id = $1 and from_phone = '${from}'`)).map(
    (row) => row.contact_id,
  );
const openOnes = () => rows("select contact_id from conversations where tenant_id = $1 and status <> 'resolved'");

describe('P13: one person, one contact', () => {
  test.each([
    { country: 'Brazil', one: '5511991234567', other: '551191234567' },
    { country: 'Brazil', one: '5585988887777', other: '558588887777' },
    { country: 'Mexico', one: '5215512345678', other: '525512345678' },
    { country: 'Argentina', one: '5491123456789', other: '541123456789' },
  ])('P13: both spellings of a number of $country meet in one contact and one conversation', async ({ one, other }) => {
    for (const from of [one, other, one]) await write(from);
    expect(await contactOf(one)).toEqual(await contactOf(other));
    expect(await openOnes()).toHaveLength(1);
    expect(await make({ phone: other, name: 'Ana' })).toBe((await contactOf(one))[0]);
  });

  test('P13: a merged contact is the survivor, by every spelling of every number, until it is unmerged', async () => {
    const [brazil, mexico] = [await make({ phone: '5511991234567' }), await make({ phone: '525512345678' })];
    await write('5511991234567');
    await write('5215512345678');
    await merge(brazil, mexico);
    await write('525512345678');
    await write('551191234567');
    expect(await contactOf('525512345678')).toEqual([brazil]);
    expect(await openOnes()).toEqual([{ contact_id: brazil }]);
    await unmerge(mexico);
    await write('5215512345678', 'I am another one');
    const owners = await rows('select contact_id from inbound_messages where tenant_id = $1 order by message_id');
    expect(owners.at(-1)).toEqual({ contact_id: mexico });
  });

  test('P13: any merges and unmerges, taken back in reverse order, leave everything as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 3, maxLength: 5 }),
        fc.array(step, { maxLength: 8 }),
        async (people, steps) => {
          tenantId = await makeTenant();
          const ids = await settle(people);
          const start = await graph();
          const merged: ContactId[] = [];
          for (const { kind, a, b } of steps) {
            const [survivor, other] = [ids[a % ids.length] as ContactId, ids[b % ids.length] as ContactId];
            if (kind === 'unmerge') await takeBack(merged);
            else if (await isDone(merge(survivor, other))) merged.push(other);
            await requireSound();
          }
          while (merged.length > 0) await takeBack(merged);
          expect(await graph()).toEqual(start);
        },
      ),
      { numRuns: 12 },
    );
  });
});

const SPELLINGS = ['5511991234567', '5215512345678', '5491123456789', '447700900123', '4915112345678'];
const person = fc.record({
  name: fc.option(fc.constantFrom('Ana', 'Bo')),
  tags: fc.uniqueArray(fc.constantFrom('VIP', 'vip', 'tea', 'new')),
  attributes: fc.dictionary(fc.constantFrom('a', 'bb', 'c'), fc.constantFrom('1', '2')),
  externalId: fc.boolean(),
  marketing: fc.constantFrom('granted', 'denied', 'unknown'),
  status: fc.constantFrom('active', 'active', 'blocked'),
  writes: fc.array(fc.constantFrom(...NUMBERS), { maxLength: 2 }),
  ends: fc.constantFrom('nothing', 'resolved', 'snoozed', 'pending'),
});
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;
const step = fc.record({ kind: fc.constantFrom('merge', 'merge', 'unmerge'), a: fc.nat(4), b: fc.nat(4) });

/** Makes people, lets them write, and does something with their conversations. */
async function settle(people: readonly Person[]): Promise<readonly ContactId[]> {
  const ids: ContactId[] = [];
  for (const [index, one] of people.entries()) {
    const { name, tags, attributes, marketing, status } = one as Person & { marketing: 'granted'; status: 'active' };
    const phone = SPELLINGS[index] as string;
    const externalId = one.externalId ? `crm-${index}` : null;
    const id = await make({ phone, name, externalId, tags });
    await change(id, { marketing, status });
    await database.db.run(
      {
        name: 'test_attributes',
        text: 'update contacts set attributes = $3::jsonb where tenant_id = $1 and contact_id = $2',
      },
      [tenantId, id, JSON.stringify(attributes)],
    );
    await change(id, { language: 'en' });
    for (const number of one.writes) await write(phone, 'Hi', number);
    if (one.ends !== 'nothing') await moveAll(id, one.ends as 'resolved');
    ids.push(id);
  }
  return ids;
}

async function moveAll(contactId: string, status: 'resolved' | 'snoozed' | 'pending'): Promise<void> {
  const all = await rows(
    `select conversation_id from conversations where tenant_id = $1 and contact_id = '${contactId}'`,
  );
  for (const { conversation_id: conversationId } of all) {
    const request = { tenantId, conversationId: String(conversationId), actor, cause: 'api', change: { status } };
    await withEvents(rt, database.db, (tx, events) => updateConversation(rt, tx, events, request));
  }
}

async function takeBack(merged: ContactId[]): Promise<void> {
  const last = merged.pop();
  if (last !== undefined) await unmerge(last);
}

/** Whether it was done; refusals of the state are part of the game. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ApiProblem) return false;
    throw error;
  }
}

/** Nothing hangs on a contact that is part of another, and the counts are those of the rows. */
async function requireSound(): Promise<void> {
  const astray = `select 1 from contacts c where c.tenant_id = $1 and c.merged_into is not null and (
    exists (select 1 from contact_identities i where i.tenant_id = $1 and i.contact_id = c.contact_id)
    or exists (select 1 from conversations v where v.tenant_id = $1 and v.contact_id = c.contact_id)
    or exists (select 1 from inbound_messages m where m.tenant_id = $1 and m.contact_id = c.contact_id))`;
  expect(await rows(astray)).toEqual([]);
  const sums = await rows(`select status, sum(amount)::int as n from conversation_counts where tenant_id = $1
    group by 1 having sum(amount) <> 0 order by 1`);
  expect(
    await rows('select status, count(*)::int as n from conversations where tenant_id = $1 group by 1 order by 1'),
  ).toEqual(sums);
}
