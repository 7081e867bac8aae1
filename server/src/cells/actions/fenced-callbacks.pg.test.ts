import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TenantFence } from '#access/domain/tenant-state';
import { passFence } from '#cells/store/fence';
import type { TenantId } from '#core/ids';
import { tablesOfTenant } from '#maintenance/actions/export-tenant';
import {
  callbackBody,
  correlationTokenOf,
  countRows,
  inboundText,
  ingested,
  postCallback,
  statusItem,
} from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { closeFence, openFence, placeFence, removeFence } from './fence-tenant.ts';

let kit: TestService;
let moving: TestTenant;
let other: TestTenant;
const BY = '01920000-0000-7000-8000-0000000000aa';

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

const idOf = (tenant: TestTenant): TenantId => tenant.tenantId as TenantId;

beforeEach(async () => {
  [moving, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  await placeFence(kit.service.db, idOf(moving), tablesOfTenant());
});
afterEach(() => removeFence(kit.service.db, idOf(moving), tablesOfTenant()));

const close = (to: TenantFence): Promise<boolean> =>
  closeFence(kit.service.db, idOf(moving), { from: null, to, by: BY });
const open = (): Promise<boolean> => openFence(kit.service.db, idOf(moving), BY);

const inboxOf = async (tenant: TestTenant): Promise<readonly { readonly id: string }[]> =>
  (await tenant.call('GET', '/v1/messages/inbound')).body.data;

/** Does what the move itself does to rows of the tenant, which is the first value. */
function byMover(text: string, ...values: readonly string[]): Promise<readonly { readonly row: object }[]> {
  return kit.service.db.transaction(async (tx) => {
    await passFence(tx, idOf(moving));
    return (await tx.run<{ row: object }>({ name: '', text }, [idOf(moving), ...values])).rows;
  });
}

/** Lets a text of a customer of the other tenant come in, after what came before it. */
async function othersAreRead(): Promise<void> {
  const { phoneNumberId } = other;
  const known = (await inboxOf(other)).length;
  await postCallback(kit, callbackBody({ phoneNumberId, messages: [inboundText(`wamid.${known}`, freshPhone())] }));
  await kit.until(
    () => inboxOf(other),
    (inbox) => inbox.length > known,
    'the callback of the other tenant is read',
  );
}

test.each([
  'refuse',
  'skip',
] as const)('what a customer writes while nothing of the tenant can be written in the cell ("%s") waits until it can, and the callbacks of others do not', async (fence) => {
  expect(await close(fence)).toBe(true);
  const { phoneNumberId } = moving;
  await postCallback(kit, callbackBody({ phoneNumberId, messages: [inboundText('wamid.moving', freshPhone())] }));
  await othersAreRead();
  expect(await countRows(kit.service.db, 'callback_queue')).toBe(1);
  expect(await open()).toBe(true);
  await ingested(kit);
  expect(await inboxOf(moving)).toHaveLength(1);
});

test('a status of a message whose row has left the cell already waits, and counts where the row is', async () => {
  const { tenantId, phoneNumberId } = moving;
  const messageId = await moving.send(freshPhone());
  const show = () => moving.call('GET', `/v1/messages/${messageId}`);
  await kit.until(show, ({ body }) => body.delivery.read_at !== null, 'the message is read');
  const token = await correlationTokenOf(kit.service.db, { tenantId, phoneNumberId, messageId, attempt: 1 });
  expect(await close('refuse')).toBe(true);
  const [row] = await byMover('delete from outbound_messages t where tenant_id = $1 returning row_to_json(t) as row');
  await postCallback(kit, callbackBody({ phoneNumberId, statuses: [statusItem('wamid.left', 'read', token)] }));
  await othersAreRead();
  expect(await countRows(kit.service.db, 'callback_queue')).toBe(1);
  await byMover(
    'insert into outbound_messages select r.* from json_populate_record(null::outbound_messages, $2) r where tenant_id = $1',
    JSON.stringify({ ...row?.row, read_ms: null, read_learned_ms: null }),
  );
  expect(await open()).toBe(true);
  await ingested(kit);
  expect((await show()).body.delivery.read_at).not.toBeNull();
});
