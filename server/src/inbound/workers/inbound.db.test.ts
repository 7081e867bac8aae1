import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayCallbacks } from '#inbound/store/callbacks';
import { callbackBody, countRows, inboundText, ingest, ingested, postCallback } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ isAlone: true });
  tenant = await makeTestTenant(kit);
  other = await makeTestTenant(kit);
});
afterAll(() => kit.close());

async function inboundFrom(sender: string, of = tenant): Promise<Answer['body'][]> {
  const answer = await of.call('GET', `/v1/messages/inbound?limit=1000&from=${encodeURIComponent(sender)}`);
  return answer.body.data;
}

function from(sender: string, id: string, fields: object = {}): string {
  return callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [inboundText(id, sender, fields)] });
}

/** The data of this message's event. */
async function eventOf(messageId: string): Promise<Answer['body']> {
  const { body } = await tenant.call('GET', '/v1/events?types=message.received&limit=1000');
  return body.data.find(({ data }: Answer['body']) => data.id === messageId)?.data;
}

/** The message without what a fetch of its file changes while the test runs. */
function withoutFetchOutcome(message: Answer['body']): unknown {
  if (!message.media) return message;
  const { status: _status, error: _error, ...media } = message.media;
  return { ...message, media };
}

async function rowsOf(sql: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  return (await kit.service.db.run({ name: `test ${sql}`.slice(0, 60), text: sql }, parameters)).rows;
}

const TABLES = ['inbound_messages', 'contacts', 'contact_identities', 'conversations', 'callback_leftovers'];

function snapshot(): Promise<readonly (readonly Record<string, unknown>[])[]> {
  return Promise.all(TABLES.map((table) => rowsOf(`select * from ${table} order by 1, 2`, [])));
}

const media = { mime_type: 'image/jpeg', sha256: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', id: '910920930' };
const kinds: readonly (readonly [type: string, content: unknown, body: string | null])[] = [
  ['text', { body: 'Hello' }, 'Hello'],
  ['image', { ...media, caption: 'Look' }, 'Look'],
  ['video', media, null],
  ['audio', { ...media, voice: true }, null],
  ['document', { ...media, filename: 'a.pdf' }, null],
  ['sticker', { ...media, animated: false }, null],
  ['location', { latitude: 1.5, longitude: 2, name: 'Office' }, 'Office'],
  ['button', { payload: 'p', text: 'Yes' }, 'Yes'],
  ['interactive', { type: 'button_reply', button_reply: { id: 'b', title: 'Yes' } }, 'Yes'],
  ['interactive', { type: 'list_reply', list_reply: { id: 'r', title: 'Morning' } }, 'Morning'],
  ['interactive', { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '[1]' } }, 'Sent'],
  ['reaction', { message_id: 'wamid.NOBODY', emoji: '👍' }, '👍'],
  ['order', { catalog_id: '1', text: 'Two please', product_items: [{ quantity: 2, item_price: 9.5 }] }, 'Two please'],
  ['system', { body: 'Changed', wa_id: '15550003333', type: 'user_changed_number' }, 'Changed'],
];

test('P3: an album of 30 pictures in one callback, delivered twice concurrently, is one conversation with 30 messages', async () => {
  const sender = freshPhone();
  const picture = (n: number) =>
    inboundText(`wamid.ALBUM.${n}`, sender, { type: 'image', text: undefined, image: media });
  const album = Array.from({ length: 30 }, (_, n) => picture(n));
  const body = callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: album });
  await Promise.all([postCallback(kit, body), postCallback(kit, body)]);
  await ingested(kit);
  const messages = await inboundFrom(sender);
  expect([messages.length, new Set(messages.map((one) => one.conversation_id)).size]).toEqual([30, 1]);
  const [{ contact_id }] = messages;
  const list = (await tenant.call('GET', `/v1/conversations?contact_id=${contact_id}`)).body.data;
  expect(list.map((one: { unread_count: number }) => one.unread_count)).toEqual([30]);
});

describe('a message of a customer', () => {
  test.each(kinds)('of type %s is stored with its content (%j)', async (type, content, body) => {
    const sender = freshPhone();
    await ingest(kit, from(sender, `wamid.KIND.${sender}`, { type, text: undefined, [type]: content }));
    const [message, ...more] = await inboundFrom(sender);
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      direction: 'inbound',
      type,
      body,
      from: sender,
      phone_number_id: tenant.phoneNumberId,
      [type]: content,
    });
    expect(message.network_timestamp).toBe(new Date(1_790_000_000_000).toISOString());
    // The fetch of the file, which is not there, may end between the two reads: all but its outcome is the same.
    const read = (await tenant.call('GET', `/v1/messages/${message.id}`)).body;
    expect(withoutFetchOutcome(read)).toEqual(withoutFetchOutcome(message));
    // Its event has the same shape, with the file as it was then.
    expect(withoutFetchOutcome(await eventOf(message.id))).toEqual(withoutFetchOutcome(message));
  });

  test('with shared contacts is stored as an object that holds the list', async () => {
    const sender = freshPhone();
    const contacts = [{ name: { formatted_name: 'Ada Obi' }, phones: [{ phone: '+1 555', type: 'CELL' }] }];
    await ingest(kit, from(sender, `wamid.CARDS.${sender}`, { type: 'contacts', text: undefined, contacts }));
    expect(await inboundFrom(sender)).toMatchObject([{ type: 'contacts', body: 'Ada Obi', contacts: { contacts } }]);
  });

  test.each([
    [
      'declared unsupported',
      { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors: [{ code: 131051 }] },
    ],
    ['of a type of the future', { type: 'hologram', hologram: { id: '1' } }],
  ])('%s is stored whole', async (_label, fields) => {
    const sender = freshPhone();
    await ingest(kit, from(sender, `wamid.ODD.${sender}`, { text: undefined, ...fields }));
    const [message] = await inboundFrom(sender);
    expect(message).toMatchObject({ type: 'unsupported', body: null, unsupported: fields });
  });

  test('with NUL and half a surrogate pair is stored all the same', async () => {
    const sender = freshPhone();
    await ingest(kit, from(sender, `wamid.NUL.${sender}`).replace('"Hi"', '"a\\u0000b\\ud800c"'));
    const [message] = await inboundFrom(sender);
    expect(message.body).toMatch(/^a.?b.c$/u);
  });

  test('who shows no number is a contact by the network user id', async () => {
    const userId = `US.1349120${freshPhone()}`;
    const message = { ...inboundText(`wamid.USER.${userId}`, ''), from: undefined, from_user_id: userId };
    const contacts = [{ profile: { name: 'Ada', username: 'ada' }, user_id: userId }];
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [message], contacts }));
    const [stored] = await inboundFrom(userId);
    expect(stored).toMatchObject({ from: null, from_user_id: userId, profile_name: 'Ada', body: 'Hi' });
    expect(await eventOf(stored.id)).toEqual(stored);
  });

  test('who shows no number is one contact in one conversation, and stays it once the number is known', async () => {
    const [userId, phone] = [`US.1349121${freshPhone()}`, freshPhone()];
    const contacts = [{ profile: { name: 'Ada', username: 'ada' }, user_id: userId }];
    const hidden = { from: undefined, from_user_id: userId };
    const write = (name: string, fields: object) => {
      const timestamp = String(Math.floor(kit.rt.clock.now() / 1000));
      const messages = [inboundText(`wamid.${name}.${userId}`, phone, { timestamp, ...fields })];
      return ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages, contacts }));
    };
    await write('FIRST', hidden);
    await write('SECOND', hidden);
    const [message] = await inboundFrom(userId);
    const { contact_id: contactId, conversation_id: id } = message;
    const path = `/v1/contacts/${contactId}`;
    expect((await tenant.call('GET', path)).body).toMatchObject({ phone: null, profile_name: 'Ada' });
    const reply = await tenant.call('POST', `/v1/conversations/${id}/messages`, { body: 'Hello' });
    expect(reply).toMatchObject({ status: 202, body: { to: userId } });
    await write('THIRD', { from_user_id: userId });
    await write('FOURTH', {});
    expect((await tenant.call('GET', path)).body).toMatchObject({ phone });
    const all = [...(await inboundFrom(userId)), ...(await inboundFrom(phone))];
    const seen = new Set(all.map((one) => `${one.contact_id} ${one.conversation_id}`));
    expect([new Set(all.map((one) => one.id)).size, [...seen]]).toEqual([4, [`${contactId} ${id}`]]);
    const later = await tenant.call('POST', `/v1/conversations/${id}/messages`, { body: 'Hello' });
    expect(later).toMatchObject({ status: 202, body: { to: phone } });
  });

  test('that answers ours names the message it answers', async () => {
    const sender = freshPhone();
    const id = await tenant.send(sender);
    const { delivery } = await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'ours is read');
    await ingest(
      kit,
      from(sender, `wamid.REPLY.${sender}`, { context: { from: '1', id: delivery.network_message_id } }),
    );
    expect(await inboundFrom(sender)).toMatchObject([{ reply_to: id }]);
  });
});

describe('one callback', () => {
  test('with several entries, messages and tenants gives each tenant its own and nothing else', async () => {
    const [mine, theirs] = [freshPhone(), freshPhone()];
    await ingest(
      kit,
      callbackBody(
        {
          phoneNumberId: tenant.phoneNumberId,
          messages: [inboundText(`m1.${mine}`, mine), inboundText(`m2.${mine}`, mine)],
        },
        { phoneNumberId: other.phoneNumberId, messages: [inboundText(`m1.${mine}`, theirs)] },
        { phoneNumberId: tenant.phoneNumberId, messages: [inboundText(`m3.${mine}`, mine)] },
      ),
    );
    expect((await inboundFrom(mine)).map((message) => message.network_message_id).sort()).toEqual([
      `m1.${mine}`,
      `m2.${mine}`,
      `m3.${mine}`,
    ]);
    expect((await inboundFrom(theirs, other)).length).toBe(1);
    expect(await inboundFrom(theirs)).toEqual([]);
    expect(await inboundFrom(mine, other)).toEqual([]);
  });

  test('five times over, in any order among others, stores each message once', async () => {
    const sender = freshPhone();
    const bodies = [1, 2, 3].map((index) => from(sender, `wamid.AGAIN.${index}.${sender}`));
    const shuffled = [...bodies, ...[...bodies].reverse(), ...bodies, ...bodies, ...[...bodies].reverse()];
    const answers = await Promise.all(shuffled.map((body) => postCallback(kit, body)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await ingested(kit);
    expect((await inboundFrom(sender)).length).toBe(3);
    const [conversation] = await rowsOf(
      'select unread_count from conversations c join contacts using (tenant_id, contact_id) where phone = $1',
      [sender],
    );
    expect(conversation?.unread_count).toBe(3);
  });

  test('of an unknown number is kept as an unhandled item, and its siblings are stored', async () => {
    const sender = freshPhone();
    const stray = { phoneNumberId: '987654321', messages: [inboundText(`stray.${sender}`, sender)] };
    const ours = { phoneNumberId: tenant.phoneNumberId, messages: [inboundText(`ours.${sender}`, sender)] };
    const before = await countRows(kit.service.db, 'callback_leftovers');
    await ingest(kit, callbackBody(stray, ours));
    expect((await inboundFrom(sender)).length).toBe(1);
    expect(await countRows(kit.service.db, 'callback_leftovers')).toBe(before + 1);
  });

  test('P1: with unknown kinds and malformed items keeps and counts each of them', async () => {
    const sender = freshPhone();
    const body = JSON.parse(
      callbackBody({
        phoneNumberId: tenant.phoneNumberId,
        messages: [inboundText(`good.${sender}`, sender), 42 as unknown as object, {}],
      }),
    );
    body.entry.push({ id: '1', changes: [{ field: 'account_alerts', value: { alert_type: 'X' } }] }, 'nonsense');
    await ingest(kit, JSON.stringify(body));
    expect((await inboundFrom(sender)).length).toBe(1);
    const kept = await rowsOf(
      'select name, reason from callback_leftovers where callback_id = (select max(callback_id::text)::uuid from callback_leftovers) order by item',
      [],
    );
    expect(kept.map((row) => row.name)).toEqual(['malformed', 'malformed', 'unknown_account', 'malformed']);
    const metrics = await kit.rt.metrics.read();
    expect(metrics).toMatch(/kind="leftover"\} [1-9]/);
  });
});

describe('fifty concurrent first messages of one person', () => {
  test('make one contact, one open conversation with fifty unread, and fifty messages', async () => {
    const sender = freshPhone();
    const bodies = Array.from({ length: 50 }, (_, index) => from(sender, `wamid.FIFTY.${index}.${sender}`));
    const answers = await Promise.all(bodies.map((body) => postCallback(kit, body)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await ingested(kit);
    expect((await inboundFrom(sender)).length).toBe(50);
    const contacts = await rowsOf('select contact_id from contacts where tenant_id = $1 and phone = $2', [
      tenant.tenantId,
      sender,
    ]);
    expect(contacts.length).toBe(1);
    const open = await rowsOf(
      'select unread_count, status from conversations where tenant_id = $1 and contact_id = $2',
      [tenant.tenantId, contacts[0]?.contact_id],
    );
    expect(open).toEqual([{ unread_count: 50, status: 'open' }]);
  });
});

describe('P2: a replay of stored callbacks', () => {
  test('changes nothing when all of it is stored', async () => {
    await ingest(kit, from(freshPhone(), `wamid.REPLAY.${freshPhone()}`));
    const before = await snapshot();
    expect(await replayCallbacks(kit.service.db, { fromMs: 0, toMs: Date.now() + 1, leftover: null })).toBeGreaterThan(
      0,
    );
    await ingested(kit);
    const after = await snapshot();
    const untimed = (tables: typeof after) =>
      // Earlier messages are looked for once, a while after a conversation was opened.
      tables.map((rows) => rows.map((row) => ({ ...row, recorded_ms: null, links_due: null })));
    expect(untimed(after)).toEqual(untimed(before));
  });

  test('stores what was missing', async () => {
    const sender = freshPhone();
    await ingest(kit, from(sender, `wamid.LOST.${sender}`));
    await rowsOf('delete from inbound_messages where sender = $1', [sender]);
    await replayCallbacks(kit.service.db, { fromMs: 0, toMs: Date.now() + 1, leftover: null });
    await ingested(kit);
    expect((await inboundFrom(sender)).length).toBe(1);
  });
});
