import { expect, test, vi } from 'vitest';
import { buildApp } from '#bin/app';
import type { Principal } from '#core/caller/principal';
import type { KeyId, TenantId } from '#core/ids';
import { fakeApi, messageId } from '#http/testing/fake-api';
import { inboundMessage } from '#http/testing/messages';
import type { ReadOutcome } from '#messages/domain/read-receipt';
import { findMessage } from '#messages/store/message-reads';
import { OUTSIDE_LIMITS } from './stream-slots.ts';

vi.mock('#messages/store/message-reads', () => ({ findMessage: vi.fn() }));

const KEYS = ['a-key-of-the-first-tenant-0001', 'a-key-of-the-second-tenant-001'] as const;
const TENANTS = ['0190a6f2-0000-7000-8000-00000000000a', '0190a6f2-0000-7000-8000-00000000000b'] as TenantId[];

test('a tenant whose requests the network leaves without an answer is refused at once, and the others are served', async () => {
  vi.mocked(findMessage).mockImplementation(async (_db, tenantId) => inboundMessage({ tenantId }));
  const hanging: ((outcome: ReadOutcome) => void)[] = [];
  const { deps } = fakeApi();
  const principal = await deps.authenticator.authenticate('full-access-key-000001');
  const authenticate = (key: string): Principal => {
    const place = (KEYS as readonly string[]).indexOf(key);
    return { ...(principal as Principal), tenantId: TENANTS[place] as TenantId, keyId: key as KeyId };
  };
  const tokens = {
    ...deps.tokens,
    ofNumber: async (tenantId: TenantId) => ({
      ...(await deps.tokens.ofNumber(tenantId, '1' as never)),
      token: tenantId,
    }),
  };
  const app = buildApp({
    ...deps,
    authenticator: { ...deps.authenticator, authenticate },
    tokens,
    sendReadReceipt: ({ token }) =>
      token === TENANTS[0] ? new Promise((resolve) => hanging.push(resolve)) : Promise.resolve({ kind: 'done' }),
  });
  const read = (place: 0 | 1) =>
    app.inject({
      method: 'POST',
      url: `/v1/messages/${messageId}/read`,
      headers: { authorization: `Bearer ${KEYS[place]}` },
    });
  const waiting = Array.from({ length: OUTSIDE_LIMITS.perTenant }, () => read(0));
  await expect.poll(() => hanging.length).toBe(OUTSIDE_LIMITS.perTenant);

  const refused = await read(0);
  expect([refused.statusCode, refused.json()]).toMatchObject([503, { code: 'network_unreachable' }]);
  expect((await read(1)).statusCode).toBe(200);

  for (const answer of hanging.splice(0)) answer({ kind: 'done' });
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual(waiting.map(() => 200));
  const next = read(0);
  await expect.poll(() => hanging.length).toBe(1);
  hanging[0]?.({ kind: 'done' });
  expect((await next).statusCode).toBe(200);
});
