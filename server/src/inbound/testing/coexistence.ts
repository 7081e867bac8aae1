/** Callbacks about a number that an app on a phone uses too. */

const BUSINESS = '15550001111';

function bodyOf(field: string, value: object, phoneNumberId: string): string {
  const metadata = { display_phone_number: BUSINESS, phone_number_id: phoneNumberId };
  const changes = [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '300000000000001', changes }] });
}

/** Messages that were written with the app on the phone of the business. */
export function echoBody(phoneNumberId: string, ...echoes: readonly object[]): string {
  return bodyOf('smb_message_echoes', { message_echoes: echoes }, phoneNumberId);
}

interface Thread {
  readonly id: string;
  readonly messages: readonly object[];
}

/**
 * Messages from before the API.
 * @param fields of the portion: its phase, its order and how far it brings the sync, or errors
 * @param files messages whose files come later than they did
 */
export function historyBody(
  phoneNumberId: string,
  threads: readonly Thread[],
  { errors, ...fields }: { readonly errors?: readonly object[]; readonly [name: string]: unknown } = {},
  files?: readonly object[],
): string {
  if (files !== undefined) return bodyOf('history', { messages: files }, phoneNumberId);
  const metadata = { phase: 0, chunk_order: 1, progress: 10, ...fields };
  const portion = errors === undefined ? { metadata, threads } : { errors };
  return bodyOf('history', { history: [portion] }, phoneNumberId);
}

/** A text from before the API; `fields` replace or add members. */
export function historyMessage(
  id: string,
  {
    second,
    status = 'READ',
    ...fields
  }: { readonly second: number; readonly status?: string; readonly [name: string]: unknown },
): object {
  const text = { body: 'Yes, until six' };
  return { id, timestamp: String(second), type: 'text', text, history_context: { status }, ...fields };
}
