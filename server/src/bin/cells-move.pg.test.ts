import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#database/database';
import { tablesOfTenant } from '#maintenance/actions/export-tenant';
import { sendSteadily } from '#testing/cells/send-steadily';
import { type CellKit, type CellTenant, startCellKit } from '#testing/cells/test-cells';
import { startWebhookReceiver } from '#testing/peers/webhook-receiver';

let cells: CellKit;

beforeAll(async () => {
  cells = await startCellKit({ config: { webhookAllow: '127.0.0.1' } });
});

afterAll(async () => {
  await cells.kit.close();
});

const dbOf = (cellId: string): Database => {
  const { service } = cells.kit;
  const served = service.cells?.forOperators.served().find((cell) => cell.cellId === cellId);
  return cellId === 'main' ? service.db : (served?.db as Database);
};

/** How many rows of a tenant each table of a cell has; those without any are absent. */
async function rowsIn(cellId: string, tenantId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of tablesOfTenant()) {
    const text = `select count(*)::int as n from ${table} where tenant_id = $1`;
    const { rows } = await dbOf(cellId).run<{ n: number }>({ name: '', text }, [tenantId]);
    if (rows[0]?.n) counts[table] = rows[0].n;
  }
  return counts;
}

async function eventsOf(tenant: CellTenant): Promise<readonly { readonly id: string; readonly type: string }[]> {
  const all: { id: string; type: string }[] = [];
  for (let after = ''; ; ) {
    const { body } = await tenant.call('GET', `/v1/events?limit=100${after}`);
    all.push(...body.data);
    if (body.data.length === 0) return all;
    after = `&after=${body.page.next_cursor}`;
  }
}

test('a tenant moves with all that it has while it sends, receives and is told: nothing is lost, nothing twice', async () => {
  const { kit, inB: tenant, run } = cells;
  const receiver = await startWebhookReceiver();
  await tenant.call('POST', '/v1/webhook-endpoints', { url: receiver.url });
  const load = sendSteadily(kit, tenant, 'load');
  await kit.until(load.count, (n) => n >= 50, 'messages are sent');
  const before = await rowsIn('b', tenant.id);
  const moved = await run('cells.move', { tenant: 'Bank', to: 'main' });
  expect(moved).toMatchObject({ from: 'b', to: 'main' });
  const atMove = load.sent.size;
  await kit.until(load.count, (n) => n >= atMove + 20, 'messages are sent from the new cell');
  await load.stop();
  expect(await rowsIn('b', tenant.id)).toEqual({});
  const after = await rowsIn('main', tenant.id);
  for (const [table, rows] of Object.entries(before))
    if (!['send_queue', 'parked_statuses', 'parked_changes', 'audit_unsealed', 'rule_queue'].includes(table))
      expect(after[table] ?? 0, table).toBeGreaterThanOrEqual(rows);
  const ids = [...load.sent.values()];
  await kit.until(
    async () => (await eventsOf(tenant)).filter(({ type }) => type === 'message.read').length,
    (n) => n === ids.length,
    'all messages are read',
  );
  const listed = (await kit.simulate('GET', `/_sim/messages?limit=10000&phone_number_id=${tenant.phoneNumberId}`)).body
    .data;
  const reached = listed.map(({ to }: { to: string }) => to);
  expect(reached.sort()).toEqual([...load.sent.keys()].sort());
  const events = await eventsOf(tenant);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const heard = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).id));
  const deliveries = `select state, count(*)::int, max(attempts) as attempts, max(due_ms) - $1 as due from webhook_deliveries group by 1`;
  await kit.until(
    async () => {
      const known = heard();
      const missing = events.filter(({ id }) => !known.has(id));
      const { rows } = await dbOf('main').run({ name: '', text: deliveries }, [Date.now()]);
      return { missing: missing.length, first: missing[0], rows };
    },
    ({ missing }) => missing === 0,
    'every event has reached the webhook',
  );
  for (const { code, retryAfter } of load.refusals) {
    expect(['tenant_moving', 'storage_unavailable']).toContain(code);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  expect(await run('cells.check')).toMatchObject({ faults: [] });
  expect(await run('tenants.list')).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ name: 'Bank' })]),
  });
  await receiver.close();
});

test('what cannot move is refused in a sentence, and nothing is done', async () => {
  const { inMain, run, kit } = cells;
  const refused = (input: object) => run('cells.move', { tenant: inMain.id, ...input });
  await expect(refused({ to: 'main' })).rejects.toThrow('The tenant is in the cell main already.');
  await expect(refused({ to: 'nowhere' })).rejects.toThrow('There is no cell "nowhere".');
  await expect(refused({ to: 'b', tenant: 'Nobody' })).rejects.toThrow('There is no tenant "Nobody".');
  await expect(refused({ to: 'b', tenant: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02' })).rejects.toThrow('does not exist');
  await dbOf('b').run({ name: '', text: 'insert into number_directory values ($1, $2)' }, [
    inMain.phoneNumberId,
    '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02',
  ]);
  await expect(refused({ to: 'b' })).rejects.toThrow(
    `The number ${inMain.phoneNumberId} belongs to another tenant in the cell b.`,
  );
  await dbOf('b').run({ name: '', text: 'delete from number_directory where phone_number_id = $1' }, [
    inMain.phoneNumberId,
  ]);
  expect(await rowsIn('b', inMain.id)).toEqual({});
  expect((await inMain.call('GET', '/v1/messages')).status).toBe(200);
  expect(
    await kit.service.db.run({ name: '', text: 'select from postrider_directory.tenant_moves' }, []),
  ).toMatchObject({
    rowCount: 0,
  });
});
