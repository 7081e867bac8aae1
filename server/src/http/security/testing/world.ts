import type { TopUpId } from '#core/ids';
import { topUpWallet } from '#operations/manage-wallet';
import { insertTopUp } from '#storage/top-ups';
import { addSimulatedNumber, linkAccount, makeSimulatedAccount } from '#testing/link-dialog';
import { jpegBytes, postForm } from '#testing/test-media';
import { type Answer, callApi, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** What a tenant can own, each with the way to make one. Nothing of it moves by itself afterwards. */
const makers = {
  /** A message that waits for its time. */
  queued: (_kit, tenant) => tenant.send(freshPhone(), { send_at: inAnHour() }),
  /** A message that failed, and can be sent again. */
  failed: async (_kit, tenant) => {
    const id = await tenant.send(freshPhone(), { send_at: inAnHour() });
    expectStatus(await tenant.call('POST', `/v1/messages/${id}/cancel`), 200);
    return id;
  },
  /** A message of a customer. */
  inbound: async (kit, tenant) => (await receive(kit, tenant)).id,
  conversation: async (kit, tenant) => (await receive(kit, tenant)).conversation_id,
  image: (kit, tenant) => upload(kit, tenant, jpegBytes(), 'parcel.jpg'),
  video: (kit, tenant) => upload(kit, tenant, MP4, 'clip.mp4'),
  document: (kit, tenant) => upload(kit, tenant, PDF, 'invoice.pdf'),
  /** An upload that has no bytes yet. */
  uploading: async (kit, tenant) => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(PIECE.length), authorization: bearer(tenant) };
    const answer = await callApi(kit.service.url, 'POST', '/v1/media/resumable', undefined, headers);
    return (expectStatus(answer, 201).headers.get('location') ?? '').split('/').at(-1) ?? '';
  },
  key: async (_kit, tenant) => expectStatus(await tenant.call('POST', '/v1/api-keys', { name: 'made' }), 201).body.id,
  /** The number that it sends from. */
  number: async (_kit, tenant) => tenant.phoneNumberId,
  account: async (kit, tenant) => (await link(kit, tenant)).account.id,
  /** A number of a linked account from which nothing was sent. */
  linkedNumber: async (kit, tenant) => (await link(kit, tenant)).phoneNumberId,
  /** A number that the network has added to a linked account since. */
  newNumber: async (kit, tenant) => addSimulatedNumber(kit, (await link(kit, tenant)).networkAccountId),
  /** A payment that nobody has made yet. */
  topUp: async ({ rt, service }, { tenantId }) => {
    const topUpId = rt.newId<TopUpId>();
    const nowMs = rt.clock.now();
    const asked = { amount: 5_000, currency: 'EUR', askMs: nowMs + 3_600_000, nowMs };
    await insertTopUp(service.db, { tenantId, topUpId, ...asked });
    return topUpId;
  },
} as const satisfies Record<string, (kit: TestService, tenant: TestTenant) => Promise<string>>;

export type ResourceName = keyof typeof makers;

/** The bytes that an upload of these tests is made of. */
export const PIECE = Buffer.from('%PDF-1.7\n%%EOF\n');
const PDF = PIECE;
const MP4 = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex');

/** Makes a resource of a tenant. @returns its id */
export function make(kit: TestService, tenant: TestTenant, name: ResourceName): Promise<string> {
  return makers[name](kit, tenant);
}

/** An id of the same form that nobody owns. */
export function missingLike(kit: TestService, id: string): string {
  if (/^\d+$/.test(id)) return '9'.repeat(id.length);
  return kit.rt.newId<string>();
}

/** A tenant with at least two items in each of its lists, so that each has a second page. */
export async function makeFullTenant(kit: TestService): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  const lists: readonly ResourceName[] = [
    ...(['queued', 'queued', 'inbound', 'inbound', 'image', 'video', 'key', 'key'] as const),
    ...(['account', 'account'] as const),
  ];
  for (const name of lists) await make(kit, tenant, name);
  for (const description of ['first', 'second']) {
    await topUpWallet(kit.rt, kit.service.db, { tenantId: tenant.tenantId, amount: 1_000, description });
  }
  return tenant;
}

/** Everything that is stored of a tenant, by table: what a stranger must not change. */
export async function rowsOf(kit: TestService, tenant: TestTenant): Promise<Readonly<Record<string, string>>> {
  const rows = await kit.service.db.run<{ table_name: string }>(TENANT_TABLES, []);
  const stored: Record<string, string> = {};
  for (const { table_name: table } of rows.rows.filter((row) => !MOVING.has(row.table_name))) {
    const text = `select to_jsonb(t)::text as row from ${table} t where tenant_id::text = $1 order by 1`;
    const found = await kit.service.db.run<{ row: string }>({ name: `test_rows_${table}`, text }, [tenant.tenantId]);
    stored[table] = found.rows
      .map(({ row }) => row.replace(/"last_used_ms": (\d+|null)/, '"last_used_ms": 0'))
      .join('\n');
  }
  return stored;
}

const TENANT_TABLES = {
  name: 'test_tenant_tables',
  text: `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.column_name = 'tenant_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1`,
};
/** Owners of lanes change by themselves. */
const MOVING: ReadonlySet<string> = new Set(['lanes']);

async function link(kit: TestService, tenant: TestTenant) {
  const simulated = await makeSimulatedAccount(kit);
  return { ...simulated, account: await linkAccount(tenant, simulated.networkAccountId) };
}

async function receive(kit: TestService, tenant: TestTenant): Promise<Answer['body']> {
  const from = freshPhone();
  const inbound = { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' };
  expectStatus(await kit.simulate('POST', '/_sim/inbound', inbound), 200);
  const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data[0];
  return kit.until(ask, (message) => message !== undefined, 'the message of the customer is here');
}

async function upload(kit: TestService, tenant: TestTenant, bytes: Buffer, filename: string): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], filename));
  return expectStatus(await postForm(kit, tenant.key, form), 200).body.media_id;
}

function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}

function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

function bearer({ key }: TestTenant): string {
  return `Bearer ${key}`;
}
