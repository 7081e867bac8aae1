import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toSafeText } from '#core/json';
import { indexSearch } from '#search/actions/index-search';
import { runSearch } from '#search/actions/run-search';
import { searchKinds } from '#search/domain/search-kind';
import { readIndexState } from '#search/store/search-index';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const ADA = { 'x-agent-id': EXAMPLE_AGENTS[0] };
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

interface Wrote {
  readonly id: string;
  readonly conversation: string;
  readonly contact: string;
}

/** A customer writes. */
async function writes(from: string, text: string, of: TestTenant = tenant): Promise<Wrote> {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: of.phoneNumberId, from, text });
  const list = () => of.call('GET', `/v1/messages/inbound?from=${from}&limit=1`);
  const { body } = await kit.until(list, ({ body: { data } }) => data[0]?.body === text, 'the message is stored');
  const [message] = body.data;
  return { id: message.id, conversation: message.conversation_id, contact: message.contact_id };
}

async function indexAll(): Promise<void> {
  while ((await indexSearch(kit.service.db)) > 0);
}

/** Everything of a tenant can be found. */
async function untilIndexed(of: TestTenant = tenant): Promise<void> {
  // The first search of a tenant begins its index.
  await of.call('GET', '/v1/search?q=x');
  await indexAll();
  // The service's own worker may hold a tenant's cursor at the same moment.
  const state = () => readIndexState(kit.service.db, of.tenantId, kit.rt.clock.now() + 1);
  await kit.until(state, ({ isComplete }) => isComplete, 'everything is indexed');
}

/** What a query finds once everything is indexed: the ids of each kind. */
async function find(q: string, headers: Record<string, string> = {}, of: TestTenant = tenant) {
  await untilIndexed(of);
  const { status, body } = await of.call('GET', `/v1/search?${new URLSearchParams({ q })}`, undefined, headers);
  expect(status).toBe(200);
  const idsOf = (kind: string, item: string) =>
    body[kind].data.map((hit: Record<string, { id: string }>) => hit[item]?.id);
  return {
    messages: idsOf('messages', 'message'),
    notes: idsOf('notes', 'note'),
    contacts: idsOf('contacts', 'contact'),
    conversations: idsOf('conversations', 'conversation'),
    body,
  };
}

describe('a search', () => {
  test('finds what customers and agents write by the beginnings of words, without case and accents', async () => {
    const came = await writes(freshPhone(), 'Grüße von Frau Müller aus Łódź');
    const path = `/v1/conversations/${came.conversation}/messages`;
    const went = (await tenant.call('POST', path, { body: 'Guten Tag, Frau MULLER!' }, ADA)).body;
    const note = (await tenant.call('POST', path, { type: 'note', body: 'Müllerin seit Mai' }, ADA)).body;
    const { messages, notes, body } = await find('mü');
    expect(messages).toEqual([went.id, came.id]);
    expect(notes).toEqual([note.id]);
    const [, hit] = body.messages.data;
    expect(hit.snippet.marks.map(({ start, end }: never) => hit.snippet.text.slice(start, end))).toEqual(['Müller']);
    expect((await find('lodz GRUSSE')).messages).toEqual([came.id]);
    expect((await find('lodz nowhere')).messages).toEqual([]);
  });
  test('knows phrases, numbers, captions, values of templates, and what is sent as a card or a place', async () => {
    const from = freshPhone();
    const { id, conversation } = await writes(from, 'The order 4477001234 left this morning');
    expect((await find('"left this morning"')).messages).toEqual([id]);
    expect((await find('"this left"')).messages).toEqual([]);
    expect((await find('1234 order')).messages).toEqual([id]);
    const path = `/v1/conversations/${conversation}/messages`;
    const send = async (body: object) => (await tenant.call('POST', path, body)).body.id;
    const { media_id } = (await uploadFile(kit, tenant.key, jpegBytes())).body;
    const image = await send({ type: 'image', media: { media_id, caption: 'Rechnung Quittung' } });
    const place = await send({ type: 'location', location: { latitude: 1, longitude: 2, name: 'Brandenburger Tor' } });
    const card = await send({
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Zoë Quist', first_name: 'Zoë' } }],
    });
    const buttons = await send({
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Passt das?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Einverstanden' } }] },
      },
    });
    const named = ['quittung', 'brandenburger', 'quist', 'einverstanden'];
    const found = [];
    for (const word of named) found.push(...(await find(word)).messages);
    expect(found).toEqual([image, place, card, buttons]);
  });

  test('is narrowed by who wrote, where, when, and by what is in it', async () => {
    const word = 'zebrafish';
    const first = await writes(freshPhone(), `A ${word} https://shop.example/1`);
    const second = await writes(freshPhone(), `Another ${word}`);
    const path = `/v1/conversations/${first.conversation}`;
    const reply = (await tenant.call('POST', `${path}/messages`, { body: `My ${word}` }, ADA)).body.id;
    const note = (await tenant.call('POST', `${path}/messages`, { type: 'note', body: `Note ${word}` }, ADA)).body.id;
    await tenant.call('POST', `${path}/tags`, { add_tags: ['Aquarium'] });
    const { number } = (await tenant.call('GET', path)).body;
    await tenant.call('PATCH', `/v1/contacts/${second.contact}`, { name: 'Wilhelmina Xu' });
    const messages = async (q: string, headers = {}) => (await find(`${word} ${q}`, headers)).messages;
    expect(await messages('')).toEqual([reply, second.id, first.id]);
    expect(await messages('from:customer')).toEqual([second.id, first.id]);
    expect(await messages('from:me', ADA)).toEqual([reply]);
    expect(await messages('from:me')).toEqual([]);
    expect(await messages(`from:${EXAMPLE_AGENTS[0]}`)).toEqual([reply]);
    expect(await messages('from:wilhel')).toEqual([second.id]);
    expect(await messages(`from:${second.contact}`)).toEqual([second.id]);
    expect(await messages('from:nobody')).toEqual([]);
    expect(await messages('in:aquarium')).toEqual([reply, first.id]);
    expect(await messages(`in:#${number}`)).toEqual([reply, first.id]);
    expect(await messages(`in:${first.conversation}`)).toEqual([reply, first.id]);
    expect(await messages(`in:${tenant.phoneNumberId}`)).toEqual([reply, second.id, first.id]);
    expect(await messages('in:elsewhere')).toEqual([]);
    expect(await messages('has:link')).toEqual([first.id]);
    expect(await messages('has:media')).toEqual([]);
    expect(await messages('has:link from:customer in:aquarium')).toEqual([first.id]);
    const tomorrow = new Date(kit.rt.clock.now() + 86_400_000).toISOString();
    expect(await messages(`before:${tomorrow}`)).toHaveLength(3);
    expect(await messages(`after:${tomorrow}`)).toEqual([]);
    const notes = async (q: string) => (await find(`${word} ${q}`)).notes;
    for (const q of ['has:note', `in:#${number}`, 'in:aquarium', `from:${EXAMPLE_AGENTS[0]}`])
      expect(await notes(q)).toEqual([note]);
    expect((await find(`has:note ${word}`)).messages).toEqual([]);
    expect((await find('in:aquarium')).conversations).toEqual([first.conversation]);
  });

  test('finds contacts and their conversations by names, numbers, tags and attributes of text', async () => {
    const phone = freshPhone();
    const { contact, conversation } = await writes(phone, 'Hello');
    await tenant.call('POST', '/v1/contact-attributes', { key: 'street', type: 'text', label: 'Street' });
    const change = { name: 'Øyvind Čapek', tags: ['Stammkunde'], attributes: { street: 'Lindenallee 7' } };
    expect((await tenant.call('PATCH', `/v1/contacts/${contact}`, change)).status).toBe(200);
    for (const q of ['oyvind', 'capek oyv', phone, `+${phone}`, phone.slice(-5), 'stammk', 'lindenallee']) {
      expect((await find(q)).contacts).toEqual([contact]);
    }
    for (const q of ['oyvind', phone.slice(-5)]) expect((await find(q)).conversations).toEqual([conversation]);
    await tenant.call('PATCH', `/v1/contacts/${contact}`, { name: 'Somebody Else' });
    expect([(await find('oyvind')).contacts, (await find('oyvind')).conversations]).toEqual([[], []]);
  });

  test('reads on by the cursor of each kind, and refuses one of another search', async () => {
    const from = freshPhone();
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.unshift((await writes(from, `walrus ${n}`)).id);
    await untilIndexed();
    const read = async (query: object) => tenant.call('GET', `/v1/search?${new URLSearchParams({ ...query })}`);
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const answer: Awaited<ReturnType<typeof read>> = await read({
        q: 'walrus',
        group: 'messages',
        limit: '3',
        ...(cursor && { cursor }),
      });
      const { body } = answer;
      walked.push(...body.messages.data.map(({ message }: { message: { id: string } }) => message.id));
      cursor = body.messages.page.next_cursor;
      expect(Object.keys(body)).toEqual(['complete', 'messages']);
    } while (cursor !== null);
    expect(walked).toEqual(ids);
    const page = (await read({ q: 'walrus', limit: '1' })).body.messages.page;
    const refused = [
      { q: 'walrus', cursor: page.next_cursor },
      { q: 'other', group: 'messages', cursor: page.next_cursor },
      { q: 'walrus', group: 'notes', cursor: page.next_cursor },
      { q: 'x'.repeat(501) },
      { q: 'x', group: 'everything' },
      { q: 'x', limit: '51' },
    ];
    for (const query of refused) expect((await read(query)).status).toBe(400);
    const stranger = await makeTestTenant(kit, { ratePerSecond: 0 });
    const same = new URLSearchParams({ q: 'walrus', group: 'messages', cursor: page.next_cursor });
    expect((await stranger.call('GET', `/v1/search?${same}`)).status).toBe(400);
  });

  test('finds nothing of another tenant, whatever it names, and contacts only with the right to read them', async () => {
    const other = await makeTestTenant(kit, { ratePerSecond: 0 });
    const theirs = await writes(freshPhone(), 'narwhal secret', other);
    expect((await find('narwhal', {}, other)).messages).toEqual([theirs.id]);
    for (const q of ['narwhal', `in:${theirs.conversation}`, `from:${theirs.contact}`, `in:${other.phoneNumberId}`]) {
      const { messages, notes, contacts, conversations } = await find(q);
      expect([messages, notes, contacts, conversations]).toEqual([[], [], [], []]);
    }
    const { body: key } = await tenant.call('POST', '/v1/api-keys', { name: 'inbox', scopes: ['conversations:read'] });
    const asked = async (query: string) =>
      tenant.call('GET', `/v1/search?q=a${query}`, undefined, { authorization: `Bearer ${key.key}` });
    expect(Object.keys((await asked('')).body)).toEqual(['complete', 'messages', 'notes', 'conversations']);
    expect((await asked('&group=contacts')).status).toBe(403);
  });

  test('takes every text as a query', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'from:',
        'in:',
        'has:',
        'before:',
        'after:',
        '"',
        ' ',
        '~',
        "'",
        '\\',
        ':*',
        '&',
        '|',
        '!',
        '<->',
        '(',
        ')',
        '#1',
        '%',
        '\n',
        '٣',
        '京',
        '👍🏽',
        '\u200f',
        'a',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.uuid(),
    );
    const { db } = kit.service;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const asked = { tenantId: tenant.tenantId, agentId: null, kinds: searchKinds, limit: 5, beforeId: null };
        const text = toSafeText(pieces.join(''));
        const { groups } = await runSearch(kit.rt, db, { ...asked, text });
        expect(groups.map(({ kind }) => kind)).toEqual(searchKinds);
        const answer = await tenant.call('GET', `/v1/search?${new URLSearchParams({ q: text.slice(0, 400) })}`);
        expect(answer.status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });
});
