import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#core/ids';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';

const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };

let kit: TestService;
let tenant: TestTenant;
let ownerId: UserId;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  ownerId = await ensureOwner(kit.rt, kit.service.db, tenant.tenantId);
});
afterAll(() => kit.close());

/** The cookie of a new session of the owner. */
async function signIn(): Promise<string> {
  const link = await makeSignInLink(kit.rt, kit.service.db, ownerId);
  const body = { method: 'link', token: link.split('#token=')[1] };
  const { headers } = await callApi(kit.service.url, 'POST', '/v1/sessions', body, OWN_PAGE);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** An open event stream, after its first bytes. */
async function openStream(cookie: string) {
  const response = await fetch(`${kit.service.url}/v1/events/stream`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  return reader;
}

/** Reads to the end of a stream. */
async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let piece = await reader.read(); !piece.done; piece = await reader.read());
}

test('an open event stream ends with its session, and the streams of other sessions of the person go on', async () => {
  const [ended, kept] = [await signIn(), await signIn()];
  const [stream, other] = [await openStream(ended), await openStream(kept)];
  await callApi(kit.service.url, 'DELETE', '/v1/sessions/current', undefined, { cookie: ended, ...OWN_PAGE });
  await readToEnd(stream);
  await tenant.call('POST', '/v1/contacts', { phone: '447700900199', name: 'Ada' });
  expect(new TextDecoder().decode((await other.read()).value)).toContain('contact.created');
  await other.cancel();
});
