import type { PhoneNumberId } from '#core/ids';
import { addPhoneNumber } from '#operations/manage-tenants';
import { jpegBytes, uploadFile } from '#testing/test-media';
import { beginTopUp } from '#testing/test-payments';
import type { Answer, TestService } from '#testing/test-service';
import { freshPhone, type TestTenant } from '#testing/test-tenant';
import { bodyOf, type Call, headersFor } from './calls.ts';
import type { Described, DescribedBody } from './described.ts';

/** Who acts, and where. */
export interface Stage {
  readonly kit: TestService;
  readonly tenant: TestTenant;
}

/** Makes what the path of an operation names, in a state in which the operation succeeds. Returns its id. */
type Scene = (stage: Stage) => Promise<string>;

/**
 * One for each operation with an id in its path. An operation that is missing here fails the tests of the examples:
 * add the scene together with the operation.
 */
const scenes: Readonly<Record<string, Scene>> = {
  getMessage: waitingMessage,
  getMessageTrace: waitingMessage,
  cancelMessage: waitingMessage,
  resendMessage: failedMessage,
  markMessageRead: inboundMessage,
  getMedia: uploadedMedia,
  getMediaContent: uploadedMedia,
  deleteMedia: uploadedMedia,
  getResumableUpload: begunUpload,
  patchResumableUpload: begunUpload,
  deleteResumableUpload: begunUpload,
  getTopUp: async ({ tenant }) => (await beginTopUp(tenant, 5000)).id,
  getPhoneNumber: addedNumber,
  changePhoneNumber: addedNumber,
  removePhoneNumber: addedNumber,
  getApiKey: (stage) => madeKey(stage),
  rotateApiKey: (stage) => madeKey(stage),
  revokeApiKey: (stage) => madeKey(stage),
};

/** A call of an operation that succeeds, with this example as its body. */
export async function readyCall(stage: Stage, operation: Described, body: DescribedBody | null): Promise<Call> {
  const parts = bodyOf(body);
  const headers = { ...parts.headers, ...headersFor(operation, body) };
  return { method: operation.method, target: await targetOf(stage, operation), headers, body: parts.body };
}

async function targetOf(stage: Stage, { operationId, path }: Described): Promise<string> {
  if (!path.includes('{')) return path;
  const scene = scenes[operationId];
  if (!scene) throw new Error(`There is no scene for ${operationId}: add it in http/testing/scenes.ts.`);
  return path.replace('{id}', await scene(stage));
}

export async function waitingMessage({ kit, tenant }: Stage): Promise<string> {
  const later = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
  return tenant.send(freshPhone(), { send_at: later });
}

async function failedMessage(stage: Stage): Promise<string> {
  const id = await waitingMessage(stage);
  expectStatus(await stage.tenant.call('POST', `/v1/messages/${id}/cancel`), 200);
  return id;
}

export async function sentMessage({ tenant }: Stage): Promise<string> {
  const id = await tenant.send(freshPhone());
  await tenant.untilMessage(id, ({ status }) => status === 'sent', 'the message is sent');
  return id;
}

/** A message of a customer that the simulator knows of. */
async function inboundMessage({ kit, tenant }: Stage): Promise<string> {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = await kit.until(
    () => tenant.call('GET', `/v1/messages/inbound?from=${from}`),
    ({ body }) => body.data.length === 1,
    'the message of the customer is stored',
  );
  return list.body.data[0].id;
}

export async function uploadedMedia({ kit, tenant }: Stage): Promise<string> {
  const answer = await uploadFile(kit, tenant.key, jpegBytes(2_000));
  return expectStatus(answer, 200).media_id;
}

/** An upload of as many bytes as the example of a piece has. */
async function begunUpload({ tenant }: Stage): Promise<string> {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '11' };
  const answer = await tenant.call('POST', '/v1/media/resumable', undefined, headers);
  expectStatus(answer, 201);
  return String(answer.headers.get('location')).split('/').at(-1) ?? '';
}

/** A further number of the tenant, as an operator adds one. */
async function addedNumber({ kit, tenant: { tenantId } }: Stage): Promise<string> {
  const phoneNumberId = freshPhone() as PhoneNumberId;
  const number = { tenantId, phoneNumberId, displayPhone: freshPhone(), name: null, ratePerSecond: null };
  await addPhoneNumber(kit.rt, kit.service.db, number);
  return phoneNumberId;
}

export async function madeKey({ tenant }: Stage, fields: object = {}): Promise<string> {
  const answer = await tenant.call('POST', '/v1/api-keys', { name: 'made for an example', ...fields });
  return expectStatus(answer, 201).id;
}

export function expectStatus(answer: Answer, status: number): Answer['body'] {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}
