import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import { type SearchKind, searchKinds } from '#search/domain/search-kind';
import { readIndexState } from '#search/store/search-index';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { indexSearch, indexTenant } from './index-search.ts';
import { runSearch } from './run-search.ts';

let kit: TestService;

/* The worker is this file alone: the service plays every role but that of housekeeping. */
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester,dispatcher' } });
});
afterAll(() => kit.close());

let statements = 0;
function sql(text: string, parameters: readonly unknown[] = []) {
  statements += 1;
  return kit.service.db.run<Record<string, unknown>>({ name: `test_index_${statements}`, text }, parameters);
}
const newTenant = () => makeTestTenant(kit, { ratePerSecond: 0 });

async function writes(tenant: TestTenant, from: string, text: string) {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}&limit=1`);
  const { body } = await kit.until(list, ({ body: { data } }) => data[0]?.body === text, 'the message is stored');
  const [{ id, conversation_id: conversation, contact_id: contact }] = body.data;
  return { id, conversation, contact } as { id: string; conversation: string; contact: string };
}

async function indexAll(tenantId: TenantId): Promise<void> {
  while (await indexTenant(kit.service.db, tenantId));
}

async function find({ tenantId }: TestTenant, text: string) {
  const asked = { tenantId, agentId: null, kinds: searchKinds, limit: 50, beforeId: null, text };
  const { groups } = await runSearch(kit.rt, kit.service.db, asked);
  const { isComplete: complete } = await readIndexState(kit.service.db, tenantId, kit.rt.clock.now() + 1);
  const countOf = (kind: SearchKind) => groups.find((group) => group.kind === kind)?.hits.length;
  return { complete, counts: searchKinds.map(countOf) };
}

/** The same once everything is indexed, also what the network has reported meanwhile. */
function findIndexed(tenant: TestTenant, text: string) {
  const look = async () => {
    await indexAll(tenant.tenantId);
    return find(tenant, text);
  };
  return kit.until(look, ({ complete }) => complete, 'everything is indexed');
}

describe('the index', () => {
  test('is complete without anything to index, and lags behind for a moment without a word about it', async () => {
    const tenant = await newTenant();
    const completeOf = async () => (await tenant.call('GET', '/v1/search?q=gnu')).body.complete;
    expect(await completeOf()).toBe(true);
    await writes(tenant, freshPhone(), 'gnu');
    expect(await completeOf()).toBe(false);
    await indexAll(tenant.tenantId);
    await writes(tenant, freshPhone(), 'gnu');
    expect(await completeOf()).toBe(true);
    const text = 'update event_pages set recorded_ms = recorded_ms - 11000 where tenant_id = $1';
    await sql(text, [tenant.tenantId]);
    expect(await completeOf()).toBe(false);
  });

  test('is merged after each round, so that no search has to read through what was added', async () => {
    const tenant = await newTenant();
    await find(tenant, 'ibis');
    await writes(tenant, freshPhone(), 'ibis');
    const look = async () => {
      while ((await indexSearch(kit.service.db)) > 0);
      return find(tenant, 'ibis');
    };
    await kit.until(look, ({ counts: [messages] }) => messages === 1, 'it is indexed');
    const { rows } = await sql("select gin_clean_pending_list('search_documents_words')::integer as pages");
    expect(rows).toEqual([{ pages: 0 }]);
  });

  test('goes on for other tenants when one cannot be indexed', async () => {
    const [broken, sound] = [await newTenant(), await newTenant()];
    for (const tenant of [broken, sound]) await writes(tenant, freshPhone(), 'lynx');
    const text = `update event_pages set body = 'no json' where tenant_id = $1 and body is not null`;
    await find(sound, 'lynx');
    await indexAll(broken.tenantId);
    await writes(broken, freshPhone(), 'lynx');
    await sql(text, [broken.tenantId]);
    await expect(async () => {
      while ((await indexSearch(kit.service.db)) > 0);
    }).rejects.toThrow();
    expect((await find(sound, 'lynx')).counts[0]).toBe(1);
    await sql('delete from event_pages where tenant_id = $1', [broken.tenantId]);
    await indexAll(broken.tenantId);
    expect((await find(broken, 'lynx')).counts[0]).toBe(2);
  });

  test('takes in what is older than it, of every kind, and then follows; the answer says when it is complete', async () => {
    const tenant = await newTenant();
    const { conversation, contact } = await writes(tenant, freshPhone(), 'walrus one');
    const path = `/v1/conversations/${conversation}`;
    await tenant.call('POST', `${path}/messages`, { type: 'note', body: 'walrus note' });
    await tenant.call('POST', `${path}/tags`, { add_tags: ['walrus'] });
    await tenant.call('PATCH', `/v1/contacts/${contact}`, { name: 'Walrus' });
    expect(await find(tenant, 'walrus')).toEqual({ complete: false, counts: [0, 0, 0, 0] });
    expect(await findIndexed(tenant, 'walrus')).toEqual({ complete: true, counts: [1, 1, 1, 1] });
    await tenant.call('POST', `${path}/messages`, { body: 'walrus two' });
    expect((await find(tenant, 'walrus')).complete).toBe(false);
    expect(await findIndexed(tenant, 'walrus')).toEqual({ complete: true, counts: [2, 1, 1, 1] });
  });

  test('is the same after a step that was killed before its commit, and with several workers at once', async () => {
    const tenant = await newTenant();
    await writes(tenant, freshPhone(), 'ibex one');
    await indexAll(tenant.tenantId);
    const { conversation } = await writes(tenant, freshPhone(), 'ibex two');
    await tenant.call('POST', `/v1/conversations/${conversation}/messages`, { body: 'ibex three' });
    const { db } = kit.service;
    const killed = {
      ...db,
      transaction: (work: (tx: Transaction) => Promise<unknown>) =>
        db.transaction(async (tx) => {
          await work(tx);
          throw new Error('killed');
        }),
    };
    await expect(indexTenant(killed as typeof db, tenant.tenantId)).rejects.toThrow('killed');
    expect((await find(tenant, 'ibex')).counts[0]).toBe(1);
    await Promise.all(Array.from({ length: 6 }, () => indexTenant(db, tenant.tenantId)));
    expect(await findIndexed(tenant, 'ibex')).toEqual({ complete: true, counts: [3, 0, 0, 0] });
    const [row] = (
      await sql('select sum(documents)::integer as sum from search_portions where tenant_id = $1 and kind = 1', [
        tenant.tenantId,
      ])
    ).rows;
    expect(row).toEqual({ sum: 3 });
  });

  test('misses nothing when events were removed before the worker read them', async () => {
    const tenant = await newTenant();
    await writes(tenant, freshPhone(), 'okapi one');
    await indexAll(tenant.tenantId);
    await writes(tenant, freshPhone(), 'okapi two');
    await sql('delete from event_pages where tenant_id = $1', [tenant.tenantId]);
    await indexAll(tenant.tenantId);
    expect((await find(tenant, 'okapi')).counts[0]).toBe(2);
    await writes(tenant, freshPhone(), 'okapi three');
    await sql(
      'delete from event_pages where tenant_id = $1 and last_seq < (select max(last_seq) from event_pages where tenant_id = $1)',
      [tenant.tenantId],
    );
    expect(await findIndexed(tenant, 'okapi')).toEqual({ complete: true, counts: [3, 0, 0, 0] });
  });

  test('finds an erased contact by nothing, at once, and then holds no word of it', async () => {
    const tenant = await newTenant();
    const phone = freshPhone();
    const { contact, conversation } = await writes(tenant, phone, 'quagga secret');
    const path = `/v1/conversations/${conversation}`;
    await tenant.call('POST', `${path}/messages`, { body: 'quagga answer' });
    await tenant.call('POST', `${path}/messages`, { type: 'note', body: 'quagga note' });
    await tenant.call('PATCH', `/v1/contacts/${contact}`, { name: 'Quagga' });
    await tenant.send(phone, { body: 'quagga outside' });
    await indexAll(tenant.tenantId);
    expect((await find(tenant, 'quagga')).counts).toEqual([3, 1, 1, 1]);
    expect((await tenant.call('DELETE', `/v1/contacts/${contact}`)).status).toBe(200);
    for (const q of ['quagga', phone, phone.slice(-5)]) expect((await find(tenant, q)).counts).toEqual([0, 0, 0, 0]);
    await indexAll(tenant.tenantId);
    const { rows } = await sql(`select words::text as words from search_documents where tenant_id = $1`, [
      tenant.tenantId,
    ]);
    expect(
      rows.filter(({ words }) => /quagga|secret|answer/.test(String(words)) || String(words).includes(phone)),
    ).toEqual([]);
  });

  test('follows contacts that become one, and that are taken apart again', async () => {
    const tenant = await newTenant();
    const [first, second] = [
      await writes(tenant, freshPhone(), 'tapir one'),
      await writes(tenant, freshPhone(), 'tapir two'),
    ];
    await tenant.call('PATCH', `/v1/contacts/${first.contact}`, { name: 'Alma' });
    await tenant.call('PATCH', `/v1/contacts/${second.contact}`, { name: 'Berta' });
    await indexAll(tenant.tenantId);
    expect((await find(tenant, 'tapir from:berta')).counts[0]).toBe(1);
    const merge = await tenant.call('POST', `/v1/contacts/${first.contact}/merge`, { contact_id: second.contact });
    expect(merge.status).toBe(200);
    await indexAll(tenant.tenantId);
    expect((await find(tenant, 'berta')).counts.slice(2)).toEqual([0, 0]);
    expect((await find(tenant, 'alma')).counts.slice(2)).toEqual([1, 2]);
    expect((await find(tenant, 'tapir from:alma')).counts[0]).toBe(2);
    expect((await find(tenant, `tapir from:${second.contact}`)).counts[0]).toBe(2);
    const apart = await tenant.call('POST', `/v1/contacts/${second.contact}/unmerge`);
    expect(apart.status).toBe(200);
    await indexAll(tenant.tenantId);
    expect((await find(tenant, 'berta')).counts.slice(2)).toEqual([1, 1]);
    expect((await find(tenant, 'tapir from:berta')).counts[0]).toBe(1);
  });

  test('is there for tenants that search or in which people work, and costs others nothing', async () => {
    const [quiet, searching, inhabited] = [await newTenant(), await newTenant(), await newTenant()];
    for (const tenant of [quiet, searching, inhabited]) await writes(tenant, freshPhone(), 'emu');
    await find(searching, 'emu');
    await ensureOwner(kit.rt, kit.service.db, inhabited.tenantId);
    while ((await indexSearch(kit.service.db)) > 0);
    const { rows } = await sql('select from search_documents where tenant_id = $1', [quiet.tenantId]);
    expect(rows).toEqual([]);
    for (const tenant of [searching, inhabited]) expect((await find(tenant, 'emu')).counts[0]).toBe(1);
  });

  test('looks after every tenant that is behind in one round', async () => {
    const tenants = [await newTenant(), await newTenant()];
    for (const tenant of tenants) await writes(tenant, freshPhone(), 'yak');
    for (const tenant of tenants) await find(tenant, 'yak');
    while ((await indexSearch(kit.service.db)) > 0);
    for (const tenant of tenants)
      expect(await findIndexed(tenant, 'yak')).toEqual({ complete: true, counts: [1, 0, 0, 0] });
  });
});
