import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '#events/store/events';
import {
  callbackBody,
  correlationTokenOf,
  countRows,
  ingest,
  ingested,
  postCallback,
  statusItem,
} from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  other = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());
// The network of these tests reports nothing automatically: every status is ours.
beforeEach(() => kit.simulate('PUT', '/_sim/chaos', { steps: { status: [{ probability: 1, fault: 'lost' }] } }));

interface Sent {
  readonly id: string;
  readonly networkId: string;
  readonly token: string;
  readonly to: string;
}

async function sendOne(of = tenant): Promise<Sent> {
  const id = await of.send(freshPhone());
  const { to, delivery } = await of.untilMessage(id, (m) => m.status === 'sent', 'it is sent');
  return { id, to, networkId: delivery.network_message_id, token: await tokenFor(id, of) };
}

function tokenFor(messageId: string, of = tenant, attempt = 1): Promise<string> {
  return correlationTokenOf(kit.service.db, {
    tenantId: of.tenantId,
    phoneNumberId: of.phoneNumberId,
    messageId,
    attempt,
  });
}

const TIMES: Readonly<Record<string, string>> = {
  sent: '1790000001',
  delivered: '1790000002',
  read: '1790000003',
  failed: '1790000004',
};
const pricing = { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' };
const errors = [{ code: 131026, title: 'Message undeliverable' }];

function item(sent: Sent, status: string, fields: object = {}): object {
  const extra = status === 'failed' ? { errors } : status === 'read' ? {} : { pricing };
  return statusItem(sent.networkId, status, sent.token, {
    recipient_id: sent.to,
    timestamp: TIMES[status],
    ...extra,
    ...fields,
  });
}

function callback(of: TestTenant, ...statuses: readonly object[]): string {
  return callbackBody({ phoneNumberId: of.phoneNumberId, statuses });
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((one, index) => permutations(list.filter((_, at) => at !== index)).map((rest) => [one, ...rest]));
}

/** What must not depend on the order: everything but ids and our own clock. */
function outcome({ status, delivery }: Answer['body']) {
  const { network_message_id: _id, accepted_at: _at, ...rest } = delivery;
  return { status, ...rest };
}

async function expectEqualOutcomes(all: readonly Sent[], expected: object): Promise<void> {
  for (const { id } of all) expect(outcome(await tenant.message(id))).toMatchObject(expected);
}

/** Names of the events of each message, in the order in which a tenant reads them. */
async function expectEvents(all: readonly Sent[], check: (types: readonly string[]) => void): Promise<void> {
  const events = await readEvents(kit.service.db, { tenantId: tenant.tenantId, after: 0, types: null, limit: 10_000 });
  for (const { id } of all) check(events.filter((event) => event.data.id === id).map((event) => event.type));
}

const REPORTED = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];

const iso = (status: string) => new Date(Number(TIMES[status]) * 1000).toISOString();
const READ = {
  status: 'sent',
  state: 'read',
  sent_at: iso('sent'),
  delivered_at: iso('delivered'),
  read_at: iso('read'),
  error: null,
  pricing: { category: 'utility', billable: true, model: 'PMP' },
};
const FAILED = {
  ...READ,
  status: 'failed',
  state: 'failed',
  failed_at: iso('failed'),
  error: { network_code: 131026 },
};

describe('P4: statuses in every order', () => {
  test('one callback each, end in the same message and the same events', async () => {
    const orders = permutations(['sent', 'delivered', 'read']);
    const all = await Promise.all(orders.map(() => sendOne()));
    for (let step = 0; step < 3; step += 1) {
      for (const [index, sent] of all.entries())
        await postCallback(kit, callback(tenant, item(sent, orders[index]?.[step] ?? '')));
      await ingested(kit);
    }
    await expectEqualOutcomes(all, READ);
    await expectEvents(all, (types) => expect(types).toEqual(REPORTED));
  });

  test('all in one callback and twice, with a failure among them, end in the same message and the same events', async () => {
    const orders = permutations(['sent', 'delivered', 'read', 'failed']);
    const all = await Promise.all(orders.map(() => sendOne()));
    const bodies = all.map((sent, index) =>
      callback(tenant, ...(orders[index] ?? []).map((status) => item(sent, status))),
    );
    await ingest(kit, ...bodies, ...bodies);
    await expectEqualOutcomes(all, FAILED);
    await expectEvents(all, (types) => expect(types).toEqual([...REPORTED, 'message.failed']));
  });

  test('with five concurrent repetitions of everything end in the same message', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => sendOne()));
    const bodies = all.flatMap((sent) =>
      ['read', 'sent', 'delivered'].map((status) => callback(tenant, item(sent, status))),
    );
    const posts = [1, 2, 3, 4, 5].flatMap(() => bodies).map((body) => postCallback(kit, body));
    expect(new Set((await Promise.all(posts)).map((answer) => answer.status))).toEqual(new Set([200]));
    await ingested(kit);
    await expectEqualOutcomes(all, READ);
    await expectEvents(all, (types) => expect(types).toEqual(REPORTED));
  });

  test('of two attempts of one message keep what each of them says, in one callback and in any order', async () => {
    const all = await Promise.all(Array.from({ length: 2 }, () => sendOne()));
    for (const [index, sent] of all.entries()) {
      const second = { ...sent, networkId: `${sent.networkId}.2`, token: await tokenFor(sent.id, tenant, 2) };
      const both = [item(sent, 'delivered'), item(second, 'sent')];
      await ingest(kit, callback(tenant, ...(index === 0 ? both : both.reverse())));
    }
    await expectEqualOutcomes(all, {
      status: 'sent',
      state: 'delivered',
      sent_at: iso('sent'),
      delivered_at: iso('delivered'),
    });
  });

  test('never move a message back: an earlier status that comes late only adds its time', async () => {
    const sent = await sendOne();
    await ingest(kit, callback(tenant, item(sent, 'read')));
    expect((await tenant.message(sent.id)).delivery).toMatchObject({ state: 'read', sent_at: null });
    await ingest(kit, callback(tenant, item(sent, 'sent')));
    expect((await tenant.message(sent.id)).delivery).toMatchObject({ state: 'read', sent_at: iso('sent') });
  });
});

describe('a status without our correlation token', () => {
  test('finds its message by the id of the network', async () => {
    const sent = await sendOne();
    await ingest(kit, callback(tenant, item(sent, 'delivered', { biz_opaque_callback_data: undefined })));
    expect((await tenant.message(sent.id)).delivery.state).toBe('delivered');
  });

  test('P4: that comes before its message is known waits, and is applied once it is', async () => {
    await kit.simulate('PUT', '/_sim/chaos', {
      steps: {
        send: [{ probability: 1, fault: 'delay', delay_ms: 4_000 }],
        status: [{ probability: 1, fault: 'lost' }],
      },
    });
    const to = freshPhone();
    const id = await tenant.send(to);
    const [entry] = await kit.until(
      () => tenant.ledger(to),
      (entries) => entries.length === 1,
      'the network has taken it',
    );
    const early = { id, to, networkId: entry.id, token: '' };
    await ingest(kit, callback(tenant, item(early, 'delivered', { biz_opaque_callback_data: undefined })));
    expect((await tenant.message(id)).delivery.state).toBe('pending');
    expect(await countRows(kit.service.db, 'parked_statuses', tenant.tenantId)).toBe(1);
    await tenant.untilMessage(id, (m) => m.delivery.state === 'delivered', 'the early status is applied');
    await kit.until(
      () => countRows(kit.service.db, 'parked_statuses', tenant.tenantId),
      (rows) => rows === 0,
      'nothing is parked',
    );
  });
});

describe('a status that is not honestly about a message of its number', () => {
  async function expectNothingChanged(sent: Sent, body: string, of = tenant): Promise<void> {
    const before = await of.message(sent.id);
    const answer = await postCallback(kit, body);
    expect(answer.status).toBe(200);
    await ingested(kit);
    expect(await of.message(sent.id)).toEqual(before);
  }

  test('with a forged token settles nothing', async () => {
    const sent = await sendOne();
    const forged = { ...sent, networkId: 'wamid.FORGED', token: `${sent.token.slice(0, -4)}AAAA` };
    await expectNothingChanged(sent, callback(tenant, item(forged, 'read')));
  });

  test('with a token changed in its attempt settles nothing', async () => {
    const sent = await sendOne();
    const forged = { ...sent, networkId: 'wamid.FORGED2', token: sent.token.replace('.1.', '.2.') };
    await expectNothingChanged(sent, callback(tenant, item(forged, 'read')));
  });

  test('with the valid token of another tenant settles nothing', async () => {
    const theirs = await sendOne(other);
    await expectNothingChanged(theirs, callback(tenant, item({ ...theirs, networkId: 'wamid.X' }, 'read')), other);
  });

  test('with the network id of another tenant settles nothing', async () => {
    const theirs = await sendOne(other);
    await expectNothingChanged(
      theirs,
      callback(tenant, item(theirs, 'read', { biz_opaque_callback_data: undefined })),
      other,
    );
  });

  test('with a valid token of a missing message is kept as an unhandled item', async () => {
    const before = await countRows(kit.service.db, 'callback_leftovers');
    const gone = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
    const sent = { id: gone, to: freshPhone(), networkId: 'wamid.GONE', token: await tokenFor(gone) };
    await ingest(kit, callback(tenant, item(sent, 'delivered')));
    expect(await countRows(kit.service.db, 'callback_leftovers')).toBe(before + 1);
  });

  test('of an unknown name or without its time is kept, and its siblings count', async () => {
    const before = await countRows(kit.service.db, 'callback_leftovers');
    const sent = await sendOne();
    const odd = [item(sent, 'sent', { status: 'teleported' }), item(sent, 'sent', { timestamp: 'soon' })];
    await ingest(kit, callback(tenant, ...odd, item(sent, 'read')));
    expect((await tenant.message(sent.id)).delivery.state).toBe('read');
    expect(await countRows(kit.service.db, 'callback_leftovers')).toBe(before + 2);
  });
});

describe('a failure that the network reports', () => {
  test('of another attempt than the one it took does not fail the message', async () => {
    const sent = await sendOne();
    const first = { ...sent, networkId: `${sent.networkId}.0` };
    await ingest(kit, callback(tenant, item(first, 'failed')));
    expect((await tenant.message(sent.id)).status).toBe('sent');
    await ingest(kit, callback(tenant, item(sent, 'failed')));
    expect(await tenant.message(sent.id)).toMatchObject({
      status: 'failed',
      delivery: { error: { network_code: 131026 } },
    });
  });
});
