import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE } from '#core/audit';
import type { TemplateFields } from '#core/content/template';
import type { CampaignId, PhoneNumberId, TenantId } from '#core/ids';
import { listRecipients } from '#storage/campaign-recipients';
import { findCampaign } from '#storage/campaigns';
import { StorageUnavailable } from '#storage/database';
import { readEvents } from '#storage/events';
import { openTestDatabase, type TestDatabase } from '#testing/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { type MessageAcceptor, makeAcceptor } from './accept-message.ts';
import { makeBillingGate } from './billing-gate.ts';
import { addCampaignRecipients, commandCampaign, createCampaign } from './manage-campaigns.ts';
import { addPhoneNumber, createTenant } from './manage-tenants.ts';
import { makeMediaBook } from './media-book.ts';
import { makeNumberBook } from './number-book.ts';
import { runCampaigns } from './run-campaigns.ts';
import { makeSuppressionBook } from './suppression-book.ts';
import { makeTemplateBook } from './template-book.ts';

const clock = new TestClock();
const rt = testRuntime({ numberRate: 20 }, clock);
const STEP_MS = 250;
const AHEAD = 40;
let database: TestDatabase;
let acceptor: MessageAcceptor;
let checks: { numbers: ReturnType<typeof makeNumberBook> };
let phones = 447_700_000_000;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  const { db } = database;
  const parts = {
    rt,
    db,
    numbers: makeNumberBook(rt, db),
    media: makeMediaBook(rt, db),
    gate: makeBillingGate(rt, db),
    templates: makeTemplateBook(rt, db),
    suppressions: makeSuppressionBook(rt, db),
  };
  checks = parts;
  acceptor = makeAcceptor({ ...parts, ring: () => undefined });
});
afterAll(async () => {
  await acceptor.close();
  await database.drop();
});

interface Made {
  readonly tenantId: TenantId;
  readonly campaignId: CampaignId;
}

const plain: TemplateFields = { name: 'sale', language: 'en' };

async function make(
  count: number,
  template = plain,
  options: { sendAtMs?: number; number?: boolean } = {},
): Promise<Made> {
  const { db } = database;
  const tenantId = await createTenant(rt, db, { name: 'Test', onUnknown: 'resend' });
  if (options.number !== false) await giveNumber(tenantId);
  const wish = { name: 'spring', template, phoneNumberId: null, sendAtMs: options.sendAtMs ?? null };
  const { campaignId } = await db.transaction((tx) => createCampaign(rt, tx, { tenantId, origin: SERVICE }, wish));
  const recipients = Array.from({ length: count }, (_, n) => {
    phones += 1;
    return { phone: String(phones), variables: n % 3 === 0 ? null : { code: `C${n}` } };
  });
  if (count > 0) {
    await db.transaction((tx) => addCampaignRecipients(tx, { tenantId, campaignId, versions: null }, recipients));
  }
  return { tenantId, campaignId };
}

function giveNumber(tenantId: TenantId): Promise<unknown> {
  phones += 1;
  const number = { phoneNumberId: String(phones) as PhoneNumberId, displayPhone: String(phones), name: null };
  return addPhoneNumber(rt, database.db, { tenantId, ...number, ratePerSecond: null });
}

const command = ({ tenantId, campaignId }: Made, what: 'start' | 'pause' | 'resume' | 'cancel') =>
  commandCampaign(rt, database.db, { tenantId, campaignId, origin: SERVICE, versions: null }, what);

const look = async ({ tenantId, campaignId }: Made) => findCampaign(database.db, tenantId, campaignId);

/** The dispatcher's part: what is queued leaves. */
function sendAll({ tenantId }: Made) {
  const text = 'delete from send_queue where tenant_id = $1';
  return database.db.run({ name: 'test_send_all', text }, [tenantId]);
}

async function messagesOf({ tenantId }: Made): Promise<readonly { to_phone: string; campaign_name: string }[]> {
  const text = 'select to_phone, campaign_name from outbound_messages where tenant_id = $1 order by message_id';
  return (
    await database.db.run<{ to_phone: string; campaign_name: string }>({ name: 'test_messages', text }, [tenantId])
  ).rows;
}

async function recipientsOf(made: Made) {
  return listRecipients(database.db, { ...made, status: null, afterPlace: -1, offset: 0, limit: 10_000 });
}

async function step(wrapped: Pick<MessageAcceptor, 'accept'> = acceptor): Promise<number> {
  const steps = await runCampaigns({ rt, db: database.db, acceptor: wrapped, numbers: checks.numbers });
  clock.advance(STEP_MS);
  return steps;
}

async function expectDone(made: Made, counts: { accepted: number; skipped: number }): Promise<void> {
  const campaign = await look(made);
  expect(campaign).toMatchObject({ status: 'completed', ...counts, total: counts.accepted + counts.skipped });
  const accepted = (await recipientsOf(made)).filter(({ status }) => status === 'accepted');
  const messages = await messagesOf(made);
  expect(messages.map(({ to_phone }) => to_phone).toSorted()).toEqual(accepted.map(({ phone }) => phone).toSorted());
  expect(accepted).toHaveLength(counts.accepted);
}

test('every recipient gets one message under the name of the campaign, a few seconds ahead of the number', async () => {
  const made = await make(100);
  await command(made, 'start');
  await step();
  expect(await messagesOf(made)).toHaveLength(AHEAD);
  await step();
  expect(await messagesOf(made)).toHaveLength(AHEAD);
  for (let n = 0; n < 3; n++) {
    await sendAll(made);
    await step();
  }
  await expectDone(made, { accepted: 100, skipped: 0 });
  expect((await messagesOf(made)).every(({ campaign_name }) => campaign_name === 'spring')).toBe(true);
  const events = await readEvents(database.db, {
    tenantId: made.tenantId,
    after: 0,
    types: ['campaign.started', 'campaign.completed'],
    limit: 9,
  });
  expect(events.map(({ type, data }) => [type, data.accepted])).toEqual([
    ['campaign.started', 0],
    ['campaign.completed', 100],
  ]);
});

test('killed at any moment of any step, each recipient still gets exactly one message', async () => {
  const made = await make(90, { ...plain, variables: { code: '{{code}}' } });
  await command(made, 'start');
  let calls = 0;
  // Every third message is accepted and its answer lost; every fifth is lost before it is accepted.
  const dying: Pick<MessageAcceptor, 'accept'> = {
    accept: async (...call) => {
      calls += 1;
      if (calls % 5 === 0) throw new StorageUnavailable('before');
      const outcome = await acceptor.accept(...call);
      if (calls % 3 === 0) throw new StorageUnavailable('after');
      return outcome;
    },
  };
  for (let n = 0; n < 60 && (await look(made))?.status === 'running'; n++) {
    await sendAll(made);
    await step(dying);
    // A process that dies after taking: the next one goes on once its time is over.
    if (n % 4 === 0) clock.advance(30_000);
  }
  await expectDone(made, { accepted: 60, skipped: 30 });
  const skipped = (await recipientsOf(made)).filter(({ status }) => status === 'skipped');
  expect(new Set(skipped.map(({ reason }) => reason?.code))).toEqual(new Set(['variable_missing']));
});

test('several processes at once send each recipient one message', async () => {
  const made = await make(70);
  await command(made, 'start');
  for (let n = 0; n < 12 && (await look(made))?.status === 'running'; n++) {
    await sendAll(made);
    const parts = { rt, db: database.db, acceptor, numbers: checks.numbers };
    await Promise.all([1, 2, 3].map(() => runCampaigns(parts)));
    clock.advance(STEP_MS);
  }
  await expectDone(made, { accepted: 70, skipped: 0 });
});

test('a paused campaign queues nothing more, and goes on where it was when it is resumed', async () => {
  const made = await make(60);
  await command(made, 'start');
  await step();
  await command(made, 'pause');
  await sendAll(made);
  await step();
  expect(await messagesOf(made)).toHaveLength(AHEAD);
  await command(made, 'resume');
  await step();
  await expectDone(made, { accepted: 60, skipped: 0 });
});

test('a canceled campaign takes back what still waits', async () => {
  const made = await make(60);
  await command(made, 'start');
  await step();
  await command(made, 'cancel');
  const text = 'select count(*)::integer as n from send_queue where tenant_id = $1';
  expect((await database.db.run({ name: 'test_waiting', text }, [made.tenantId])).rows).toEqual([{ n: 0 }]);
  await step();
  expect(await messagesOf(made)).toHaveLength(AHEAD);
  expect(await look(made)).toMatchObject({ status: 'canceled', accepted: AHEAD });
});

test('a scheduled campaign starts at its time and not before', async () => {
  const made = await make(3, plain, { sendAtMs: clock.now() + 60_000 });
  expect((await command(made, 'start')).status).toBe('scheduled');
  await step();
  expect(await messagesOf(made)).toHaveLength(0);
  clock.advance(60_000);
  await step();
  await step();
  await expectDone(made, { accepted: 3, skipped: 0 });
});

test('a campaign that nobody can be sent to pauses with the reason, and loses no recipient', async () => {
  const made = await make(5, plain, { number: false });
  await command(made, 'start');
  await step();
  expect(await look(made)).toMatchObject({ status: 'paused', accepted: 0, skipped: 0 });
  expect((await look(made))?.pauseReason).toMatch(/no active sending number/);
  await giveNumber(made.tenantId);
  clock.advance(10_000);
  await command(made, 'resume');
  await step();
  await expectDone(made, { accepted: 5, skipped: 0 });
});
