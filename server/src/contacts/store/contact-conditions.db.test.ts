import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Contact } from '#contacts/domain/contact';
import type { AttributeType } from '#contacts/domain/contact-attribute';
import { applyContactChange } from '#contacts/domain/contact-change';
import { contactFields, contactValue } from '#contacts/domain/contact-fields';
import { newContact } from '#contacts/domain/new-contact';
import { evaluate, makeOutcomeDecider } from '#core/conditions/evaluate';
import { parseCondition } from '#core/conditions/parse-condition';
import type { ContactId, TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { listContacts } from './contact-lists.ts';
import { writeContacts } from './contacts.ts';

const NOW_MS = Date.parse('2026-07-20T12:00:00Z');
const TYPES = new Map<string, AttributeType>([
  ['city', 'text'],
  ['score', 'number'],
  ['member', 'boolean'],
  ['born', 'date'],
  ['sizes', 'list'],
]);

let rt: Runtime;
let database: TestDatabase;
let tenantId: TenantId;
const contacts: Contact[] = [];

beforeAll(async () => {
  rt = testRuntime();
  database = await openTestDatabase(rt);
  tenantId = rt.newId<TenantId>();
  const values = [null, 'São Paulo', 'sao-paulo norte', '%_\\', 'x'];
  for (let index = 0; index < 40; index += 1) {
    const pick = <T>(from: readonly T[], every: number): T => from[Math.floor(index / every) % from.length] as T;
    const attributes = {
      city: pick(values, 1),
      score: pick([null, 0, 3, 7.5], 2),
      member: pick([null, true, false], 3),
      born: pick([null, '2026-07-01', '2020-02-29', '0001-01-01', '9999-12-31', '0000-01-01'], 1),
      sizes: pick([null, ['S', 'm'], []], 2),
    };
    const change = {
      phone: index % 4 === 0 ? null : `5511987654${100 + index}`,
      name: pick(values, 3),
      profileName: pick([null, 'Ana Á.'], 2),
      language: pick([null, 'pt', 'en'], 1),
      tags: pick([[], ['VIP'], ['tea', 'Chá']], 1),
      attributes,
      lastInboundMs: NOW_MS - index * 86_400_000,
    };
    contacts.push(applyContactChange(newContact(rt.newId<ContactId>(), NOW_MS - index), change, NOW_MS));
  }
  await database.db.transaction((tx) => writeContacts(tx, tenantId, contacts));
});
afterAll(() => database.drop());

const texts = fc.constantFrom('sao', 'SÃO PAULO', 'paulo', '%_\\', 'ana a', '5511', 'x');
const textMatch = fc.constantFrom('is', 'contains', 'starts');
const numbers = fc.constantFrom(0, 3, 7.5);
const compare = fc.constantFrom('gt', 'gte', 'lt', 'lte');
const presence = fc.record({
  field: fc.constantFrom(
    ...['contact.name', 'contact.phone', 'contact.language', 'contact.tags', 'contact.last_inbound_at'],
    ...[...TYPES.keys()].map((key) => `contact.attributes.${key}`),
  ),
  match: fc.constantFrom('exists', 'missing'),
});
const times = fc.constantFrom(
  ...['-10d', '-1000d', '-99999d', '2026-07-01T00:00:00Z', '2026-07-01T00:00:01Z', '2026-06-30T23:59:59.999Z'],
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59-23:59'],
);
const leaf = fc.oneof(
  presence,
  fc.record({
    field: fc.constantFrom('contact.name', 'contact.phone', 'contact.attributes.city'),
    match: textMatch,
    value: texts,
  }),
  fc.record({
    field: fc.constant('contact.name'),
    match: fc.constant('word'),
    value: fc.constantFrom('paulo', 'ana a', 'x'),
  }),
  fc.record({
    field: fc.constant('contact.language'),
    match: fc.constantFrom('is', 'is_not'),
    value: fc.constantFrom('pt', 'xx'),
  }),
  fc.record({ field: fc.constant('contact.attributes.score'), match: compare, value: numbers }),
  fc.record({
    field: fc.constant('contact.attributes.member'),
    match: fc.constantFrom('is', 'is_not'),
    value: fc.boolean(),
  }),
  fc.record({
    field: fc.constantFrom('contact.attributes.born', 'contact.last_inbound_at', 'contact.created_at'),
    match: compare,
    value: times,
  }),
  fc.record({
    field: fc.constantFrom('contact.attributes.born', 'contact.created_at'),
    match: fc.constant('between'),
    value: fc.tuple(times, times),
  }),
  fc.record({
    field: fc.constantFrom('contact.tags', 'contact.attributes.sizes'),
    match: fc.constantFrom('has', 'has_not'),
    value: fc.constantFrom('vip', 'CHA', 's', 'M'),
  }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ all: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}));

test('a value of another type than its attribute fails no condition, and matches none that compares', async () => {
  const odd = rt.newId<TenantId>();
  const attributes = { score: 'seven', member: 'perhaps', born: '2026-02-31' };
  await database.db.transaction((tx) => writeContacts(tx, odd, [{ ...(contacts[0] as Contact), attributes }]));
  const found = async (input: unknown) => {
    const parsed = parseCondition(input, { path: 'when', fields: contactFields(TYPES) });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const asked = { tenantId: odd, filter: { condition: parsed.condition }, nowMs: NOW_MS };
    return (await listContacts(database.db, asked, { limit: 2, offset: 0, beforeId: null })).items.length;
  };
  expect(await found({ field: 'contact.attributes.score', match: 'gte', value: 0 })).toBe(0);
  expect(await found({ field: 'contact.attributes.member', match: 'is', value: true })).toBe(0);
  for (const field of ['score', 'member', 'born'])
    await found({ field: `contact.attributes.${field}`, match: 'missing' });
  await found({ field: 'contact.attributes.born', match: 'lt', value: '-10d' });
});

test('the database and the evaluation in memory agree on every condition', async () => {
  const oneCondition = async (input: unknown) => {
    const parsed = parseCondition(input, { path: 'when', fields: contactFields(TYPES) });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const { condition } = parsed;
    const inMemory = contacts.filter((contact) => {
      const read = (field: string) => contactValue(contact, field, TYPES);
      return evaluate(condition, makeOutcomeDecider({ nowMs: NOW_MS, valueOf: read, matchRegex: () => false }));
    });
    const window = { limit: 100, offset: 0, beforeId: null };
    const page = await listContacts(database.db, { tenantId, filter: { condition }, nowMs: NOW_MS }, window);
    const ids = (some: readonly Contact[]) => some.map(({ contactId }) => contactId).toSorted();
    expect(ids(page.items)).toEqual(ids(inMemory));
  };
  await fc.assert(fc.asyncProperty(tree, oneCondition), { numRuns: 250 });
});
