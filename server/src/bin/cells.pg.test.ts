import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCellTenant, type CellKit, type CellTenant, startCellKit } from '#testing/cells/test-cells';
import { openDoor } from '#testing/database/database-door';
import { startWebhookReceiver } from '#testing/peers/webhook-receiver';
import { callbackBody, inboundText, postCallback } from '#testing/test-callbacks';
import { callApi } from '#testing/test-service';

let cells: CellKit;

beforeAll(async () => {
  cells = await startCellKit({ config: { webhookAllow: '127.0.0.1', databasePool: 4 } });
});

afterAll(async () => {
  await cells.kit.close();
});

const both = (): readonly CellTenant[] => [cells.inMain, cells.inB];

/** A customer writes, so that free text may answer; then the tenant sends until it was read. */
async function converse(tenant: CellTenant, peer: string): Promise<string> {
  const { kit } = cells;
  await kit.simulate('POST', '/_sim/inbound', {
    phone_number_id: tenant.phoneNumberId,
    from: peer,
    text: `To ${tenant.name}`,
  });
  await kit.until(
    () => tenant.call('GET', `/v1/messages?direction=inbound`),
    ({ body }) => body.data.some(({ from }: { from: string }) => from === peer),
    `the message of ${peer} arrives at ${tenant.name}`,
  );
  const sent = await tenant.call('POST', '/v1/messages', { to: peer, body: `From ${tenant.name}` });
  expect(sent).toMatchObject({ status: 202 });
  await kit.until(
    () => tenant.call('GET', `/v1/messages/${sent.body.id}`),
    ({ body }) => body.delivery.state === 'read',
    `the message of ${tenant.name} is read`,
  );
  return sent.body.id;
}

describe('two cells on one PostgreSQL', () => {
  test('each tenant sends, and gets its statuses and what its customers write', async () => {
    const ids = [await converse(cells.inMain, '447700900701'), await converse(cells.inB, '447700900702')];
    const [ofMain, ofB] = await Promise.all(
      both().map((tenant) => tenant.call('GET', '/v1/messages?direction=outbound')),
    );
    expect(ofMain?.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    expect(ofB?.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  });

  test('a key of one cell reads nothing of another', async () => {
    const id = await converse(cells.inB, '447700900703');
    expect((await cells.inMain.call('GET', `/v1/messages/${id}`)).status).toBe(404);
    expect((await cells.inB.call('GET', `/v1/messages/${id}`)).status).toBe(200);
  });

  test('a key that nobody made is refused as ever', async () => {
    const made = both()[0]?.key.slice(0, -1) ?? '';
    const call = (key: string) =>
      callApi(cells.kit.service.url, 'GET', '/v1/messages', undefined, { authorization: `Bearer ${key}` });
    expect(await call(`${made}0`)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await call('a-key-of-another-form-that-nobody-made')).toMatchObject({ status: 401 });
    expect(await callApi(cells.kit.service.url, 'GET', '/v1/messages')).toMatchObject({ status: 401 });
  });
});

describe('a person', () => {
  const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };

  test.each(['inMain', 'inB'] as const)('is signed in %s by a link, and sees that tenant', async (which) => {
    const tenant = cells[which];
    const { url } = cells.kit.service;
    const link = String((await cells.run('users.link', { tenant: tenant.id })).url);
    const token = link.split('#token=')[1];
    const signedIn = await callApi(url, 'POST', '/v1/sessions', { method: 'link', token }, OWN_PAGE);
    expect(signedIn.status).toBe(201);
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = await callApi(url, 'GET', '/v1/me', undefined, { cookie });
    expect(me).toMatchObject({ status: 200 });
    expect(JSON.stringify(me.body)).toContain(tenant.id);
    const again = await callApi(url, 'POST', '/v1/sessions', { method: 'link', token }, OWN_PAGE);
    expect(again).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } });
  });
});

test('a callback about numbers of two cells is stored in each, with what concerns it', async () => {
  const [one, other] = ['447700900601', '447700900602'];
  const body = callbackBody(
    { phoneNumberId: cells.inMain.phoneNumberId, messages: [inboundText('wamid.both.1', one)] },
    { phoneNumberId: cells.inB.phoneNumberId, messages: [inboundText('wamid.both.2', other)] },
  );
  expect((await postCallback(cells.kit, body)).status).toBe(200);
  const inboundOf = async (tenant: CellTenant) =>
    (await tenant.call('GET', '/v1/messages?direction=inbound')).body.data.map(({ from }: { from: string }) => from);
  for (const [tenant, from] of [
    [cells.inMain, one],
    [cells.inB, other],
  ] as const)
    await cells.kit.until(
      () => inboundOf(tenant),
      (all) => all.includes(from),
      `${from} arrives at ${tenant.name}`,
    );
  expect(await inboundOf(cells.inMain)).not.toContain(other);
  expect(await inboundOf(cells.inB)).not.toContain(one);
  expect((await cells.run('callbacks.leftovers')).data).toEqual([]);
});

test('each cell has its own feed of events', async () => {
  const idOf = async (tenant: CellTenant) => {
    const { body } = await tenant.call('GET', '/v1/events?limit=100');
    return body.data.map(({ id }: { id: string }) => id);
  };
  const [ofMain, ofB] = await Promise.all(both().map(idOf));
  expect(ofMain.length).toBeGreaterThan(0);
  expect(ofB.length).toBeGreaterThan(0);
  expect(ofMain.filter((id: string) => ofB.includes(id))).toEqual([]);
});

test('campaigns run in both cells, and their events reach the webhooks of their tenants', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const started = both().map(async (tenant) => {
      const hook = await tenant.call('POST', '/v1/webhook-endpoints', { url: `${receiver.url}/${tenant.id}` });
      expect(hook.status, hook.text).toBe(201);
      const template = { name: 'order_shipped', language: 'en' };
      const { body } = await tenant.call('POST', '/v1/campaigns', { name: 'spring', template });
      const recipients = ['447700900801', '447700900802'].map((to) => ({ to }));
      expect((await tenant.call('POST', `/v1/campaigns/${body.id}/recipients`, { recipients })).status).toBe(200);
      expect((await tenant.call('POST', `/v1/campaigns/${body.id}/start`)).status).toBe(200);
      await cells.kit.until(
        () => tenant.call('GET', `/v1/campaigns/${body.id}`),
        (answer) => answer.body.status === 'completed',
        `the campaign of ${tenant.name} is completed`,
      );
    });
    await Promise.all(started);
    const typesAt = (tenant: CellTenant) =>
      receiver.received.filter(({ path }) => path === `/${tenant.id}`).map(({ body }) => JSON.parse(body).type);
    for (const tenant of both())
      await cells.kit.until(
        async () => typesAt(tenant),
        (types) => types.includes('campaign.completed'),
        `${tenant.name} is told`,
      );
  } finally {
    await receiver.close();
  }
});

test('each counter says of which cell it is', async () => {
  const { text } = await callApi(cells.kit.service.url, 'GET', '/metrics');
  for (const cell of ['main', 'b']) {
    expect(text).toMatch(new RegExp(`^postrider_messages_accepted_total\\{cell="${cell}"\\} [1-9]`, 'm'));
    expect(text).toMatch(new RegExp(`^postrider_sends_total\\{outcome="accepted",cell="${cell}"\\} [1-9]`, 'm'));
  }
});

describe('operator commands', () => {
  test('about all tenants are done in every cell, those about one in its own', async () => {
    const { data } = await cells.run('tenants.list');
    const names = (data as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Demo', 'Flower shop', 'Bank']));
    expect((await cells.run('tenants.set', { tenant: 'Bank', unknown_resends: '0' })).id).toBe(cells.inB.id);
    await expect(cells.run('keys.list')).rejects.toThrow('There are several tenants');
  });

  test('a number belongs to one tenant of all cells', async () => {
    const number = { phone_number_id: cells.inB.phoneNumberId, phone: '15550000102', tenant: cells.inMain.id };
    await expect(cells.run('numbers.add', number)).rejects.toThrow('belongs to another tenant, in the cell b');
  });

  test('a tenant without a cell goes to the one with the fewest tenants', async () => {
    expect(await cells.run('tenants.create', { name: 'Bakery' })).toMatchObject({ cell: 'b' });
    await expect(cells.run('tenants.create', { name: 'x', cell: 'nowhere' })).rejects.toThrow('no cell "nowhere"');
  });

  test('a cell is made once, and never of what is there', async () => {
    await expect(cells.run('cells.add', { cell: 'b' })).rejects.toThrow('There is a cell b already');
    await expect(cells.run('cells.add', { cell: 'B-2' })).rejects.toThrow('A cell is named by');
    await expect(cells.run('cells.add', { cell: 'c', schema: 'cell_b' })).rejects.toThrow('The cell b is there');
    const { databaseUrl } = cells.kit.rt.config;
    const same = `${databaseUrl}?application_name=other`;
    await expect(cells.run('cells.add', { cell: 'c', url: same })).rejects.toThrow('The cell main is there');
    await expect(cells.run('cells.add', { cell: 'c', url: 'db2' })).rejects.toThrow('must be like postgres://');
  });

  test('the directory is repaired from the cells', async () => {
    const { db } = cells.kit.service;
    for (const table of ['tenant_cells', 'number_cells'])
      await db.run({ name: '', text: `delete from postrider_directory.${table}` }, []);
    const checked = await cells.run('cells.check');
    expect(checked).toMatchObject({ cells: 2, faults: [] });
    expect((checked.repaired as string[]).length).toBeGreaterThan(0);
    expect(await cells.run('cells.check')).toMatchObject({ repaired: [], faults: [] });
  });
});

test('a cell that is away takes only its own tenants with it', async () => {
  const { kit } = cells;
  const door = await openDoor(kit.rt.config.databaseUrl);
  try {
    await cells.run('cells.add', { cell: 'c', url: door.url, schema: 'cell_c' });
    const inC = await addCellTenant(kit, { name: 'Cinema', cell: 'c', phoneNumberId: '100000000000103' });
    await converse(inC, '447700900704');
    door.slam();
    expect(await inC.call('GET', '/v1/messages')).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    for (const tenant of both()) expect((await tenant.call('GET', '/v1/messages')).status).toBe(200);
    const about = (id: string) =>
      callbackBody({ phoneNumberId: id, messages: [inboundText('wamid.away', '447700900603')] });
    expect((await postCallback(kit, about(inC.phoneNumberId))).status).toBe(503);
    expect((await postCallback(kit, about(cells.inB.phoneNumberId))).status).toBe(200);
    const ready = () => callApi(kit.service.url, 'GET', '/readyz');
    await kit.until(ready, ({ body }) => body.cells_away?.includes('c'), 'the cell is said to be away');
    expect((await ready()).status).toBe(200);
    await expect(cells.run('plans.add', {})).rejects.toThrow('The cell c cannot be reached. Nothing was done.');
    door.thaw();
    await kit.until(
      () => inC.call('GET', '/v1/messages'),
      ({ status }) => status === 200,
      'the cell is there again',
    );
    await kit.until(ready, ({ body }) => body.cells_away === undefined, 'no cell is said to be away');
  } finally {
    door.slam();
    await door.close();
  }
});
