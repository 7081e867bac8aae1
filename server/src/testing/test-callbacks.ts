import { createHmac } from 'node:crypto';
import { installationSecret } from '#access/actions/manage-tenants';
import type { Database } from '#database/database';
import { correlationSecret, makeCorrelationToken } from '#messages/domain/correlation-token';
import { type Answer, callApi, type TestService } from './test-service.ts';

/** The value object of a change: what stands beside the metadata. */
export interface CallbackChange {
  readonly phoneNumberId: string;
  readonly messages?: readonly object[];
  readonly statuses?: readonly object[];
  readonly contacts?: readonly object[];
}

/** A callback body as the network writes it, one entry per change. */
export function callbackBody(...changes: readonly CallbackChange[]): string {
  const entry = changes.map(({ phoneNumberId, ...lists }) => ({
    id: '300000000000001',
    changes: [
      {
        field: 'messages',
        value: {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: '15550001111', phone_number_id: phoneNumberId },
          ...lists,
        },
      },
    ],
  }));
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

/** A text from a customer; `fields` replace or add members. */
export function inboundText(id: string, from: string, fields: object = {}): object {
  return { from, id, timestamp: '1790000000', type: 'text', text: { body: 'Hi' }, ...fields };
}

/** @param echo what the network gives back of our send; null: none */
export function statusItem(id: string, status: string, echo: string | null, fields: object = {}): object {
  const token = echo === null ? {} : { biz_opaque_callback_data: echo };
  return { id, status, timestamp: '1790000000', recipient_id: '447700900123', ...token, ...fields };
}

/** The signature that the network would give these bytes. */
export function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Posts a callback; signed with the app secret unless `signature` says otherwise (null: no signature at all). */
export function postCallback(kit: TestService, body: string, signature?: string | null): Promise<Answer> {
  const value = signature === undefined ? signatureOf(body, kit.rt.config.appSecret) : signature;
  const signed: Record<string, string> = value === null ? {} : { 'x-hub-signature-256': value };
  return callApi(kit.service.url, 'POST', '/webhooks/meta', Buffer.from(body), signed);
}

/** Posts callbacks one after the other and waits until all of them are interpreted. */
export async function ingest(kit: TestService, ...bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    const answer = await postCallback(kit, body);
    if (answer.status !== 200) throw new Error(`The callback was answered with ${answer.status}: ${answer.text}`);
  }
  await ingested(kit);
}

/** Waits until no callback is left to be interpreted. */
export async function ingested(kit: TestService): Promise<void> {
  await kit.until(
    () => countRows(kit.service.db, 'callback_queue'),
    (rows) => rows === 0,
    'every callback is interpreted',
  );
}

/** The echo of one attempt as this installation signs it. */
export async function correlationTokenOf(
  db: Database,
  parts: {
    readonly tenantId: string;
    readonly phoneNumberId: string;
    readonly messageId: string;
    readonly attempt: number;
  },
): Promise<string> {
  return makeCorrelationToken(correlationSecret(await installationSecret(db, 'echo_key')), parts);
}

/** Rows of a table; of one tenant when named. */
export async function countRows(db: Database, table: string, tenantId?: string): Promise<number> {
  const where = tenantId === undefined ? '' : ' where tenant_id = $1';
  const statement = {
    name: `test_count_${table}${where === '' ? '' : '_of'}`,
    text: `select count(*)::int as n from ${table}${where}`,
  };
  const { rows } = await db.run<{ n: number }>(statement, tenantId === undefined ? [] : [tenantId]);
  return rows[0]?.n ?? 0;
}

/** Lets a status of some message of this tenant's number come in: proof that statuses do. */
export type StatusWitness = (tenant: { readonly phoneNumberId: string }) => Promise<void>;

export function statusWitness(kit: TestService): StatusWitness {
  let count = 0;
  return async ({ phoneNumberId }) => {
    count += 1;
    const statuses = [statusItem(`wamid.witness.${phoneNumberId}.${count}`, 'sent', null)];
    await ingest(kit, callbackBody({ phoneNumberId, statuses }));
  };
}
