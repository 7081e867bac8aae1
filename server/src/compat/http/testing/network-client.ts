import { jpegBytes } from '#testing/media/test-media';
import type { Answer, TestService } from '#testing/test-service';
import type { TestTenant } from '#testing/test-tenant';

/** Posts to the messages of the tenant's number, as a client of the network does. */
export function post(
  _kit: TestService,
  tenant: TestTenant,
  fields: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = `/v23.0/${tenant.phoneNumberId}/messages`;
  return tenant.call('POST', path, { messaging_product: 'whatsapp', ...fields }, headers);
}

/** A message of a customer, with both its ids. */
export async function received(
  kit: TestService,
  tenant: TestTenant,
  from: string,
): Promise<{ readonly id: string; readonly networkId: string }> {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = await kit.until(
    () => tenant.call('GET', `/v1/messages/inbound?from=${from}`),
    (answer) => answer.body.data.length === 1,
    'the message is stored',
  );
  const [{ id, network_message_id: networkId }] = list.body.data;
  return { id, networkId };
}

/** Waits until a message that a client of the network sent has an id of the network. */
export function untilSent(tenant: TestTenant, id: string): Promise<Answer['body']> {
  return tenant.untilMessage(id, ({ delivery }) => delivery?.network_message_id !== null, 'the message is sent');
}

/** The form of an upload as clients of the network send it. */
export function imageForm(fields: Readonly<Record<string, string>> = {}, bytes = jpegBytes()): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ messaging_product: 'whatsapp', ...fields })) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'parcel.jpg');
  return form;
}

/** Posts a form; `fetch` writes its content type. */
export async function postNetworkForm(url: string, form: FormData, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers, body: form });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
