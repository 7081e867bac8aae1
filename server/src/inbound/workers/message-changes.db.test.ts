import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackBody, countRows, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** By the network's clock, in seconds: the message, its edits, its deletion. */
const SENT_S = 1_790_000_000;
const FIRST_EDIT_S = SENT_S + 60;
const SECOND_EDIT_S = SENT_S + 120;
const DELETED_S = SENT_S + 180;

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** Lets messages come in, in one callback. */
function report(...messages: readonly object[]): Promise<void> {
  return ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
const original = (sender: string): string => `wamid.ORIGINAL.${sender}`;
const text = (body: string) => ({ type: 'text', text: { body } });

function message(sender: string, fields: object = text('Meet at 5')): object {
  return inboundText(original(sender), sender, { timestamp: String(SENT_S), text: undefined, ...fields });
}

function edit(sender: string, seconds: number, fields: object): object {
  const told = { original_message_id: original(sender), message: fields };
  return changeAt(sender, seconds, { type: 'edit', edit: told });
}

function deletion(sender: string): object {
  return changeAt(sender, DELETED_S, { type: 'revoke', revoke: { original_message_id: original(sender) } });
}

function changeAt(sender: string, seconds: number, fields: object): object {
  return inboundText(`wamid.CHANGE.${seconds}.${sender}`, sender, {
    timestamp: String(seconds),
    text: undefined,
    ...fields,
  });
}

async function inboundOf(sender: string): Promise<Answer['body'][]> {
  return (await tenant.call('GET', `/v1/messages/inbound?limit=100&from=${sender}`)).body.data;
}

async function conversationOf(sender: string): Promise<Answer['body']> {
  const [one] = await inboundOf(sender);
  return (await tenant.call('GET', `/v1/conversations/${one.conversation_id}`)).body;
}

async function eventsOf(id: string, types: string): Promise<Answer['body'][]> {
  const { body } = await tenant.call('GET', `/v1/events?types=${types}&limit=1000`);
  return body.data.filter(({ data }: Answer['body']) => data.id === id).map(({ data }: Answer['body']) => data);
}

const edited = {
  body: 'Meet at 7',
  text: { body: 'Meet at 7' },
  edits: [
    { body: 'Meet at 5', edited_at: timeOf(FIRST_EDIT_S) },
    { body: 'Meet at 6', edited_at: timeOf(SECOND_EDIT_S) },
  ],
  deleted_at: null,
};
const deleted = {
  body: null,
  text: {},
  summary: 'The customer deleted this message.',
  edits: [],
  deleted_at: timeOf(DELETED_S),
};

/** All orders of these things. */
function ordersOf<T>(things: readonly T[]): readonly (readonly T[])[] {
  if (things.length === 0) return [[]];
  return things.flatMap((first) => ordersOf(things.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

test('a message, its edits and its deletion end the same in every order, each delivered twice', async () => {
  const steps = {
    message: (sender: string) => message(sender),
    first: (sender: string) => edit(sender, FIRST_EDIT_S, text('Meet at 6')),
    second: (sender: string) => edit(sender, SECOND_EDIT_S, text('Meet at 7')),
    deletion,
  };
  const edits = ordersOf(['message', 'first', 'second'] as const);
  const all = ordersOf(['message', 'first', 'second', 'deletion'] as const);
  const runs = [...edits, ...all].map((order) => ({ order, sender: freshPhone() }));
  for (let step = 0; step < 4; step += 1) {
    const items = runs.flatMap(({ order, sender }) => {
      const name = order[step];
      return name === undefined ? [] : [steps[name](sender)];
    });
    await report(...items);
    await report(...items);
  }
  for (const { order, sender } of runs) {
    const [one, ...more] = await inboundOf(sender);
    const end = order.length === 4 ? deleted : edited;
    expect([one, more], order.join()).toMatchObject([{ type: 'text', ...end }, []]);
    const { unread_count, last_message } = await conversationOf(sender);
    const preview = order.length === 4 ? deleted.summary : edited.body;
    expect([unread_count, last_message.id, last_message.preview], order.join()).toEqual([1, one.id, preview]);
  }
  expect(await countRows(kit.service.db, 'parked_changes')).toBe(0);
});

describe('an edit', () => {
  test('changes the message where it stands, and is an event with the message as it is now', async () => {
    const sender = freshPhone();
    await report(message(sender));
    const [before] = await inboundOf(sender);
    await report(edit(sender, FIRST_EDIT_S, text('Meet at 6')));
    const [after] = await inboundOf(sender);
    const edits = [{ body: 'Meet at 5', edited_at: timeOf(FIRST_EDIT_S) }];
    expect(after).toEqual({ ...before, ...text('Meet at 6'), body: 'Meet at 6', edits });
    const thread = await tenant.call('GET', `/v1/conversations/${after.conversation_id}/messages`);
    expect(thread.body.data).toEqual([after]);
    expect(await eventsOf(after.id, 'message.edited')).toEqual([after]);
  });

  test('of a caption leaves the file alone', async () => {
    const sender = freshPhone();
    const image = { id: '910920930', mime_type: 'image/jpeg', caption: 'Here' };
    await report(edit(sender, FIRST_EDIT_S, { type: 'image', image: { caption: 'There' } }));
    await report(message(sender, { type: 'image', image }));
    const [one] = await inboundOf(sender);
    expect(one).toMatchObject({
      body: 'There',
      image: { ...image, caption: 'There' },
      media: { mime_type: 'image/jpeg' },
    });
  });

  test('that does not say what the message says now is kept for the operator, and changes nothing', async () => {
    const sender = freshPhone();
    await report(message(sender));
    const before = await inboundOf(sender);
    await report(edit(sender, FIRST_EDIT_S, { type: 'text' }));
    expect(await inboundOf(sender)).toEqual(before);
    const statement = { name: 'test_left', text: 'select reason from callback_leftovers' };
    const { rows } = await kit.service.db.run(statement, []);
    expect(rows).toEqual([{ reason: 'An edit does not say what the message says now.' }]);
  });
});

describe('a deleted message', () => {
  test('is found by search no more, and its file and its words are gone from the database', async () => {
    const sender = freshPhone();
    const image = { id: '910920931', mime_type: 'image/jpeg', caption: `Xylophone${sender}` };
    await report(message(sender, { type: 'image', image }));
    const hits = async () => (await tenant.call('GET', `/v1/search?q=Xylophone${sender}`)).body.messages.data.length;
    await kit.until(hits, (count) => count === 1, 'the message is found');
    await report(deletion(sender));
    const [one] = await inboundOf(sender);
    expect(one).toMatchObject({ body: null, image: {}, media: null, summary: deleted.summary });
    expect(await eventsOf(one.id, 'message.deleted')).toEqual([one]);
    await kit.until(hits, (count) => count === 0, 'the message is not found');
    for (const table of ['inbound_media', 'search_documents', 'inbound_messages', 'conversations']) {
      const text = `select row_to_json(t)::text as row from ${table} t`;
      const { rows } = await kit.service.db.run<{ row: string }>({ name: `test_rows_${table}`, text }, []);
      expect(rows.filter(({ row }) => row.includes(`Xylophone${sender}`) || row.includes('910920931'))).toEqual([]);
    }
  });

  test('whose deletion came first is never shown, not even by its event', async () => {
    const sender = freshPhone();
    await report(deletion(sender));
    await report(message(sender));
    const [one] = await inboundOf(sender);
    expect(await eventsOf(one.id, 'message.received,message.deleted')).toEqual([one]);
    expect(one).toMatchObject(deleted);
  });
});

test('a change that missed its message by a moment is applied all the same', async () => {
  const sender = freshPhone();
  await report(message(sender));
  const change = { changeId: 'wamid.MISSED', atMs: FIRST_EDIT_S * 1000, edit: { body: 'Missed' } };
  const statement = {
    name: 'test_park',
    text: `insert into parked_changes (tenant_id, network_message_id, change_id, sender, change, parked_ms)
      values ($1, $2, $3, $4, $5::jsonb, $6)`,
  };
  const row = [tenant.tenantId, original(sender), change.changeId, sender, JSON.stringify(change), kit.rt.clock.now()];
  await kit.service.db.run(statement, row);
  await kit.until(
    () => inboundOf(sender),
    ([one]) => one.body === 'Missed',
    'the change is applied',
  );
});

test('what a person said before edits, and edits that wait, are erased with the person', async () => {
  const sender = freshPhone();
  await report(message(sender), edit(sender, FIRST_EDIT_S, text('Meet at 6')));
  const elsewhere = { original_message_id: 'wamid.NEVER', message: text('Waits') };
  await report(changeAt(sender, SECOND_EDIT_S, { type: 'edit', edit: elsewhere }));
  const [one] = await inboundOf(sender);
  expect(one.edits).toHaveLength(1);
  expect(await countRows(kit.service.db, 'parked_changes')).toBe(1);
  expect((await tenant.call('DELETE', `/v1/contacts/${one.contact_id}`)).status).toBeLessThan(300);
  expect((await tenant.call('GET', `/v1/messages/${one.id}`)).body).toMatchObject({ body: null, edits: [] });
  expect(await countRows(kit.service.db, 'parked_changes')).toBe(0);
});
