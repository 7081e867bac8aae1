import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { APP_SECRET } from '../harness/simulator.ts';
import type { Arena } from './arena.ts';

interface Accepted {
  readonly id: string;
  readonly to: string;
  readonly biz_opaque_callback_data: string;
}

/**
 * Reports once more, for each number, that its first message was sent. Messages of unknown outcome are repeated only
 * while statuses come in, and after the load no message is left to cause any.
 */
export async function repeatStatuses(arena: Arena): Promise<void> {
  for (const phoneNumberId of arena.phoneNumberIds) {
    const path = `/_sim/messages?limit=1&phone_number_id=${phoneNumberId}`;
    const { data } = await arena.simulator.control<{ readonly data: readonly Accepted[] }>('GET', path);
    for (const accepted of data) await post(arena.serverUrl, phoneNumberId, accepted);
  }
}

async function post(serverUrl: string, phoneNumberId: string, accepted: Accepted): Promise<void> {
  const { id, to, biz_opaque_callback_data } = accepted;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const status = { id, status: 'sent', timestamp, recipient_id: to, biz_opaque_callback_data };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: phoneNumberId },
    statuses: [status],
  };
  const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;
  const answer = await request(`${serverUrl}/webhooks/meta`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });
  await answer.body.dump();
}
