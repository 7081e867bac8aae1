import type { JsonObject } from '#core/json';
import { jpegBytes } from '#testing/test-media';
import { type Answer, callApi, type TestService } from '#testing/test-service';
import type { TestTenant } from '#testing/test-tenant';
import { type Described, described } from './described.ts';
import { make, PIECE, type ResourceName } from './world.ts';

/**
 * How each operation is called so that it succeeds. Whoever adds an operation adds a row: without it the suite fails,
 * and with it the operation is in every test of this folder.
 */
export interface CallPlan {
  /** What each parameter of the path names. */
  readonly names?: Readonly<Record<string, ResourceName>>;
  /** Parameters of the path that name nobody's property. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly json?: JsonObject;
  /** Whether it takes a form with a file. */
  readonly form?: boolean;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** What its owner is answered. */
  readonly status: number;
}

const platform = { platform: 'platform' };
const tus = { 'tus-resumable': '1.0.0' };
const piece = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
const later = { send_at: new Date(Date.now() + 3_600_000).toISOString() };
export const text: JsonObject = { to: '447700900123', body: 'Hello', ...later };

export const calls: Readonly<Record<string, CallPlan>> = {
  sendMessage: { json: text, status: 202 },
  sendMessageBatch: { json: { messages: [text] }, status: 200 },
  getMessage: { names: { id: 'queued' }, status: 200 },
  getMessageTrace: { names: { id: 'queued' }, status: 200 },
  cancelMessage: { names: { id: 'queued' }, status: 200 },
  resendMessage: { names: { id: 'failed' }, status: 202 },
  markMessageRead: { names: { id: 'inbound' }, json: { typing: true }, status: 200 },
  listInboundMessages: { status: 200 },
  listOutboundMessages: { status: 200 },
  uploadMedia: { form: true, status: 200 },
  listMedia: { status: 200 },
  getMedia: { names: { id: 'image' }, status: 200 },
  getMediaContent: { names: { id: 'image' }, status: 200 },
  deleteMedia: { names: { id: 'image' }, status: 200 },
  createResumableUpload: { form: true, status: 200 },
  getResumableUpload: { names: { id: 'uploading' }, status: 200 },
  patchResumableUpload: { names: { id: 'uploading' }, bytes: PIECE, headers: piece, status: 204 },
  deleteResumableUpload: { names: { id: 'uploading' }, headers: tus, status: 204 },
  listApiKeys: { status: 200 },
  createApiKey: { json: { name: 'made' }, status: 201 },
  getApiKey: { names: { id: 'key' }, status: 200 },
  rotateApiKey: { names: { id: 'key' }, json: { overlap_s: 60 }, status: 201 },
  revokeApiKey: { names: { id: 'key' }, status: 200 },
  listAuditLog: { status: 200 },
  getSubscription: { status: 200 },
  getUsage: { status: 200 },
  getWallet: { status: 200 },
  getWalletPricing: { status: 200 },
  listWalletTransactions: { status: 200 },
  // No payment gateway is connected.
  topUpWallet: { json: { amount: 5_000, currency: 'EUR' }, status: 400 },
  getTopUp: { names: { id: 'topUp' }, status: 200 },
  getLinkUrl: { fixed: platform, status: 200 },
  // Without the state that only the dialog gives.
  finishLink: { fixed: platform, status: 400 },
  listAccounts: { status: 200 },
  getAccount: { names: { id: 'account' }, status: 200 },
  retryAccount: { names: { id: 'account' }, status: 200 },
  listPhoneNumbers: { status: 200 },
  // A number of nobody; one of a linked account stands in the table of references.
  addPhoneNumber: { json: { phone_number_id: '999999999999999' }, status: 400 },
  getPhoneNumber: { names: { id: 'linkedNumber' }, status: 200 },
  changePhoneNumber: { names: { id: 'linkedNumber' }, json: { name: 'Shop' }, status: 200 },
  removePhoneNumber: { names: { id: 'linkedNumber' }, status: 200 },
  getOpenApi: { status: 200 },
  getHealth: { status: 200 },
  getReadiness: { status: 200 },
  getMetrics: { status: 200 },
  getDocs: { status: 200 },
  getDocsScript: { status: 200 },
};

/** @throws Error for an operation without a row */
export function planOf(id: string): CallPlan {
  const plan = calls[id];
  if (plan === undefined) throw new Error(`${id} has no row in the table of calls.`);
  return plan;
}

/** @throws Error for an operation that the document does not have */
export function operationOf(id: string): Described {
  const operation = described.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`The document has no operation ${id}.`);
  return operation;
}

/** The path of a call with these ids in it, or with what nobody owns. */
export function pathOf(operation: Described, ids: Readonly<Record<string, string>>, search = ''): string {
  const { fixed = {} } = planOf(operation.id);
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = ids[name] ?? fixed[name];
    if (value === undefined) throw new Error(`${operation.id} is called without ${name}.`);
    return encodeURIComponent(value);
  });
  return path + search;
}

/** A fresh resource of the tenant for each parameter of the path. */
export async function idsFor(
  kit: TestService,
  tenant: TestTenant,
  operation: Described,
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  for (const [name, resource] of Object.entries(planOf(operation.id).names ?? {})) {
    ids[name] = await make(kit, tenant, resource);
  }
  return ids;
}

export interface CallOptions {
  readonly ids?: Readonly<Record<string, string>>;
  readonly search?: string;
  /** Instead of the planned body; of a form, fields beside its file. */
  readonly json?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an operation as planned. @param key null: without one */
export async function perform(
  kit: TestService,
  key: string | null,
  operation: Described,
  { ids = {}, search = '', json, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const plan = planOf(operation.id);
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const all = { ...authorization, ...plan.headers, ...headers };
  const path = pathOf(operation, ids, search);
  if (plan.form) return sendForm(kit, path, all, json ?? {});
  return callApi(kit.service.url, operation.method, path, plan.bytes ?? json ?? plan.json, all);
}

async function sendForm(
  kit: TestService,
  path: string,
  headers: Readonly<Record<string, string>>,
  fields: JsonObject,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new File([new Uint8Array(jpegBytes())], 'parcel.jpg', { type: 'image/jpeg' }));
  const response = await fetch(kit.service.url + path, { method: 'POST', headers: { ...headers }, body: form });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, body: JSON.parse(answer) };
}
