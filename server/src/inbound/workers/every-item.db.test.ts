import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodySql, holdsCallbackSql } from '#messages/store/callback-pages';
import { addSimulatedNumber } from '#testing/peers/link-dialog';
import {
  type CallbackWorld,
  callbackMaker,
  type Fate,
  KEY_CHARACTERS,
  type PlannedCallback,
  READ_AT_S,
} from '#testing/random-callbacks';
import { correlationTokenOf, ingested, postCallback } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** Number of callbacks; `npm run prove` tries 4,000. */
const CASES = Number(process.env.CALLBACK_CASES ?? 50);
/** A change of a template that names none: of those that nothing reads, the only one about the first tenant's account. */
const UNREAD_OF_FIRST = 'message_template_status_update';
const SEED = Number(process.env.CALLBACK_SEED ?? 1);
/** Callbacks that arrive concurrently, between two waits for the ingester. */
const AT_ONCE = 8;
const WAVE = 200;
const ACCOUNT = `77${process.pid}`;
const SENT_MESSAGES = 5;
/** The network's own name of a kind without a reader. */
const NEVER_MS = 24 * 60 * 60 * 1000;

let kit: TestService;
let tenants: readonly TestTenant[];
let messageIds: readonly string[];
let templateId: string;
let world: CallbackWorld;

beforeAll(async () => {
  kit = await startTestService({ isAlone: true, simulator: { readMs: NEVER_MS } });
  tenants = [await makeTestTenant(kit, { networkAccountId: ACCOUNT, ratePerSecond: 0 }), await makeTestTenant(kit)];
  const [tenant] = tenants as readonly [TestTenant];
  await addSimulatedNumber(kit, ACCOUNT, true, tenant.phoneNumberId);
  const sent = await Promise.all(Array.from({ length: SENT_MESSAGES }, () => deliveredMessage(tenant)));
  messageIds = sent.map(({ id }) => id);
  const template = await approvedTemplate(tenant);
  templateId = template.id;
  const strayToken = await correlationTokenOf(kit.service.db, {
    tenantId: tenant.tenantId,
    phoneNumberId: tenant.phoneNumberId,
    messageId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
    attempt: 1,
  });
  world = {
    run: `r${SEED}`,
    tenants: await Promise.all(tenants.map(async (one) => ({ ...one, displayPhone: await displayPhoneOf(one) }))),
    sent: sent.map(({ networkMessageId, to }) => ({ networkMessageId, to })),
    strayToken,
    template: {
      accountId: ACCOUNT,
      id: template.network_template_id,
      name: template.name,
      language: template.language,
    },
  };
});
afterAll(() => kit.close());

async function deliveredMessage(tenant: TestTenant) {
  const to = freshPhone();
  const id = await tenant.send(to);
  const { delivery } = await tenant.untilMessage(id, (one) => one.delivery.state === 'delivered', 'it is delivered');
  return { id, to, networkMessageId: delivery.network_message_id as string };
}

async function approvedTemplate(tenant: TestTenant) {
  const components = [{ type: 'BODY', text: 'We have moved to another street.' }];
  const definition = { name: 'moved', language: 'en', category: 'utility', components };
  const { id } = (await tenant.call('POST', '/v1/templates', definition)).body;
  await tenant.call('POST', `/v1/templates/${id}/submit`);
  return kit.until(
    async () => (await tenant.call('GET', `/v1/templates/${id}`)).body,
    ({ sendable }) => sendable,
    'the template is approved',
  );
}

async function displayPhoneOf({ tenantId }: TestTenant): Promise<string> {
  const [row] = await rowsOf('select display_phone from phone_numbers where tenant_id = $1', [tenantId]);
  return String(row?.display_phone);
}

async function rowsOf(text: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  return (await kit.service.db.run({ name: `test ${text}`.slice(0, 60), text }, parameters)).rows;
}

/** A small seeded generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What is kept of the callbacks when they are done: all but their bodies, which are large. */
interface SentCallback {
  readonly key: string;
  readonly fates: readonly Fate[];
  readonly times: number;
}

async function emitAll(make: () => PlannedCallback): Promise<readonly SentCallback[]> {
  const reported: SentCallback[] = [];
  const send = async (): Promise<void> => {
    const { body, fates, times } = make();
    reported.push({ key: body.slice(0, KEY_CHARACTERS), fates, times });
    const answers = await Promise.all(Array.from({ length: times }, () => postCallback(kit, body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  };
  while (reported.length < CASES) {
    for (let at = 0; at < WAVE && reported.length < CASES; at += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, CASES - reported.length) }, send));
    }
    await ingested(kit);
  }
  return reported;
}

function allOf<K extends Fate['kind']>(
  reported: readonly SentCallback[],
  kind: K,
): readonly Extract<Fate, { kind: K }>[] {
  return reported.flatMap(({ fates }) =>
    fates.filter((fate): fate is Extract<Fate, { kind: K }> => fate.kind === kind),
  );
}

/** Items by what must become of them. */
function countsOf(reported: readonly SentCallback[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of reported.flatMap(({ fates }) => fates)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const sortedSet = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();
const tenantIdOf = (tenant: number): string => String(tenants[tenant]?.tenantId);
const newest = (reports: readonly { readonly reported: string; readonly at: number }[]): string | null =>
  [...reports].sort((a, b) => b.at - a.at)[0]?.reported ?? null;

test('P1: random callbacks: items in are items stored and items recorded as ignored, with the reason', async () => {
  const reported = await emitAll(callbackMaker(world, seeded(SEED)));
  const counts = countsOf(reported);
  console.info(`${reported.length} callbacks of seed ${SEED}: ${JSON.stringify(counts)}`);
  expect(Object.keys(counts).sort()).toEqual([
    'changed',
    'inbound',
    'left',
    'notice',
    'number',
    'parked',
    'read',
    'template',
  ]);
  expect(await storedMessages()).toEqual(
    sortedSet(allOf(reported, 'inbound').map(({ tenant, id }) => `${tenantIdOf(tenant)} ${id}`)),
  );
  expect(await parkedChanges()).toEqual(
    sortedSet(allOf(reported, 'changed').map(({ tenant, id }) => `${tenantIdOf(tenant)} ${id}`)),
  );
  expect(await parkedStatuses()).toEqual(
    sortedSet(allOf(reported, 'parked').map(({ tenant, id, status }) => `${tenantIdOf(tenant)} ${id} ${status}`)),
  );
  const read = new Set(allOf(reported, 'read').map(({ message }) => message));
  expect(await readTimes()).toEqual(messageIds.map((_id, at) => (read.has(at) ? READ_AT_S * 1_000 : null)));
  const noted = new Set(allOf(reported, 'notice').map(({ serial }) => serial));
  const notices = await noticesOfFirst();
  const serials = notices.flatMap(({ value }) => value.serial ?? []);
  expect(serials.toSorted((a, b) => a - b)).toEqual([...noted].toSorted((a, b) => a - b));
  // What nothing acts on is told to whom it is about, beside being kept: of what is left here, one kind is about an account of somebody.
  const unread = allOf(reported, 'left').filter(({ name }) => name === UNREAD_OF_FIRST);
  expect(notices.filter(({ field }) => field === UNREAD_OF_FIRST)).toHaveLength(unread.length);
  expect(await reportedQualities()).toEqual([newest(allOf(reported, 'number')), newest(allOf(reported, 'template'))]);
  expect(await unhandledItems()).toEqual(reported.flatMap(expectedUnhandledItems).sort());
}, 1_800_000);

async function storedMessages(): Promise<readonly string[]> {
  const rows = await rowsOf('select tenant_id, network_message_id from inbound_messages', []);
  return rows.map((row) => `${row.tenant_id} ${row.network_message_id}`).sort();
}

async function parkedChanges(): Promise<readonly string[]> {
  const rows = await rowsOf('select tenant_id, change_id from parked_changes', []);
  return rows.map((row) => `${row.tenant_id} ${row.change_id}`).sort();
}

async function parkedStatuses(): Promise<readonly string[]> {
  const rows = await rowsOf('select tenant_id, network_message_id, status from parked_statuses', []);
  return rows.map((row) => `${row.tenant_id} ${row.network_message_id} ${row.status}`).sort();
}

async function readTimes(): Promise<readonly (number | null)[]> {
  const rows = await rowsOf('select message_id, read_ms from outbound_messages', []);
  const times = new Map(rows.map((row) => [row.message_id, row.read_ms === null ? null : Number(row.read_ms)]));
  return messageIds.map((id) => times.get(id) ?? null);
}

/** Of the first tenant's number and of its template. */
async function reportedQualities(): Promise<readonly unknown[]> {
  const [number] = await rowsOf('select quality_rating from phone_numbers where tenant_id = $1', [tenantIdOf(0)]);
  const [template] = await rowsOf('select quality from templates where template_id = $1', [templateId]);
  return [number?.quality_rating ?? null, template?.quality ?? null];
}

/** The events of the first tenant that reports became, each as often as it did. */
async function noticesOfFirst(): Promise<readonly { field: string; value: { serial?: number } }[]> {
  const notices: { field: string; value: { serial?: number } }[] = [];
  for (let after = ''; ; ) {
    const { body } = await (tenants[0] as TestTenant).call('GET', `/v1/events?types=account.notice&limit=1000${after}`);
    notices.push(...body.data.map(({ data }: Answer['body']) => data));
    if (!body.page.has_more) return notices;
    after = `&after=${body.page.next_cursor}`;
  }
}

/** The place and name of each; one without a reason says so. */
async function unhandledItems(): Promise<readonly string[]> {
  const rows = await rowsOf(
    `select substr(${bodySql('l.callback_id')}, 1, ${KEY_CHARACTERS}) as key, l.item, l.name, l.reason
     from callback_leftovers l join callbacks c on ${holdsCallbackSql('l.callback_id')}`,
    [],
  );
  return rows.map((row) => `${row.key} ${row.item} ${row.name}${row.reason ? '' : ' without a reason'}`).sort();
}

function expectedUnhandledItems({ key, fates, times }: SentCallback): readonly string[] {
  const once = fates.flatMap((fate, item) => (fate.kind === 'left' ? [`${key} ${item} ${fate.name}`] : []));
  return Array.from({ length: times }, () => once).flat();
}
