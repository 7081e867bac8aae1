/** The network's own form of webhooks, as an endpoint of the format `network` gets it. */

import type { JsonObject, JsonValue } from '#core/json';

const OBJECT = 'whatsapp_business_account';
const BEYOND_ASCII = /[\u007f-\uffff]/g;

/**
 * The body of one change, as the network writes bodies: compact, in ASCII alone. Receivers verify the bytes as they come, and some write the
 * parsed body again for it: both then get the same.
 * @param entry what the network said beside the change, above all the account
 */
export function networkBody(entry: JsonObject, change: JsonObject): string {
  const body = { object: OBJECT, entry: [{ ...entry, changes: [change] }] };
  return JSON.stringify(body).replace(BEYOND_ASCII, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The field of the example. */
export const EXAMPLE_FIELD = 'messages';

/** A message of a customer who does not exist, for trying an endpoint. */
export function exampleCallback(nowMs: number, id: string): string {
  const from = '447700900123';
  const message: JsonObject = {
    from,
    id: `wamid.TEST.${id}`,
    timestamp: String(Math.floor(nowMs / 1000)),
    text: { body: 'This is a test of your webhook.' },
    type: 'text',
  };
  const metadata = { display_phone_number: '15550100001', phone_number_id: '0' };
  const contacts: JsonValue = [{ profile: { name: 'Test' }, wa_id: from }];
  const value = { messaging_product: 'whatsapp', metadata, contacts, messages: [message] };
  return networkBody({ id: '0' }, { value, field: EXAMPLE_FIELD });
}

/** Where an endpoint is asked whether it wants callbacks: it has to answer with the challenge. */
export function challengeUrl(
  url: string,
  { challenge, verifyToken }: { readonly challenge: string; readonly verifyToken: string },
): string {
  const asked = new URL(url);
  asked.searchParams.append('hub.mode', 'subscribe');
  asked.searchParams.append('hub.challenge', challenge);
  asked.searchParams.append('hub.verify_token', verifyToken);
  return asked.href;
}
