import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { freshPhone, makeTestTenant } from '../../server/src/testing/test-tenant.ts';
import { MessageFailedError, PermissionError, Postrider, TimeoutError } from './index.ts';
import { type CuttingProxy, startCuttingProxy } from './testing/cutting-proxy.ts';

/** The simulator accepts messages to this number, and reports then that they failed. */
const FAILING = '99900000003';

let kit: TestService;
let proxy: CuttingProxy;
beforeAll(async () => {
  kit = await startTestService();
  proxy = await startCuttingProxy(kit.service.url);
});
afterAll(async () => {
  await proxy.close();
  await kit.close();
});

async function fresh(scopes: readonly string[] = []): Promise<Postrider> {
  const { key } = await makeTestTenant(kit, { scopes });
  return new Postrider({ apiKey: key, baseUrl: proxy.url });
}

describe('waiting for a message', () => {
  test.each(['sent', 'delivered', 'read'] as const)('ends when it is %s', async (until) => {
    const pr = await fresh();
    const { id } = await pr.messages.send({ to: freshPhone(), body: 'Hello' });
    const message = await pr.messages.wait(id, { until });
    expect(message).toMatchObject({ id, status: 'sent' });
    if (until !== 'sent') expect(message.delivery[`${until}_at`]).not.toBeNull();
  });

  test('ends at once for what has happened before', async () => {
    const pr = await fresh();
    const { id } = await pr.messages.send({ to: freshPhone(), body: 'Hello' });
    await pr.messages.wait(id, { until: 'read' });
    expect(await pr.messages.wait(id, { until: 'delivered' })).toMatchObject({ id });
  });

  test('of many needs one stream', async () => {
    const pr = await fresh();
    const before = proxy.passed.length;
    // One that does not leave keeps the stream open, however late the others are accepted.
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await pr.messages.send({ to: freshPhone(), body: 'Hello', send_at: later });
    const controller = new AbortController();
    const waiting = pr.messages.wait(id, { timeoutMs: 240_000, signal: controller.signal });
    const sent = Array.from({ length: 12 }, () => pr.messages.send({ to: freshPhone(), body: 'Hello' }));
    const waits = sent.map(async (sending) => pr.messages.wait((await sending).id, { until: 'read' }));
    expect(await Promise.all(waits)).toHaveLength(12);
    controller.abort(new Error('Enough.'));
    await expect(waiting).rejects.toThrow('Enough.');
    const streams = proxy.passed.slice(before).filter(({ path }) => path.startsWith('/v1/events/stream'));
    expect(streams).toHaveLength(1);
  });

  test('fails with the reason of the network when the message fails', async () => {
    const pr = await fresh();
    const { id } = await pr.messages.send({ to: FAILING, body: 'Hello' });
    const error = await pr.messages.wait(id).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MessageFailedError);
    expect(error).toMatchObject({ code: 'message_failed', cause: { id, status: 'failed' } });
  });

  test('ends after its time, and leaves no stream behind', async () => {
    const streams: (AbortSignal | null | undefined)[] = [];
    const { key } = await makeTestTenant(kit);
    const spy: typeof fetch = (input, init) => {
      if (String(input).includes('/v1/events/stream')) streams.push(init?.signal);
      return fetch(input, init);
    };
    const pr = new Postrider({ apiKey: key, baseUrl: kit.service.url, fetch: spy });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await pr.messages.send({ to: freshPhone(), body: 'Hello', send_at: later });
    await expect(pr.messages.wait(id, { timeoutMs: 300 })).rejects.toBeInstanceOf(TimeoutError);
    expect(streams.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test('ends with the reason of its signal', async () => {
    const pr = await fresh();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await pr.messages.send({ to: freshPhone(), body: 'Hello', send_at: later });
    const controller = new AbortController();
    const waiting = pr.messages.wait(id, { signal: controller.signal });
    controller.abort(new Error('Enough.'));
    await expect(waiting).rejects.toThrow('Enough.');
  });

  test('says what is missing when the key may not read events', async () => {
    const pr = await fresh(['messages:read', 'messages:write']);
    const { id } = await pr.messages.send({ to: freshPhone(), body: 'Hello' });
    await expect(pr.messages.wait(id)).rejects.toBeInstanceOf(PermissionError);
  });
});
