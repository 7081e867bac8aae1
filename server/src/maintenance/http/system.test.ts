import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { checkHealth } from '#database/health';
import { fakeApi } from '#http/testing/fake-api';

vi.mock('#database/health', () => ({ checkHealth: vi.fn() }));
const health = vi.mocked(checkHealth);

beforeEach(() => {
  health.mockReset().mockResolvedValue({ ok: true });
});

const { app } = fakeApi();

function get(url: string, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url, headers });
}

describe('without a key', () => {
  test('/healthz says that the process lives, and does not ask the database', async () => {
    const answer = await get('/healthz');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
    expect(health).not.toHaveBeenCalled();
  });

  test('/readyz says that requests are welcome', async () => {
    const answer = await get('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready' }]);
  });

  test('/readyz answers 503 with Retry-After when the database is away, without its reason', async () => {
    health.mockResolvedValue({ ok: false, cause: new Error('password of db.internal refused') });
    const answer = await get('/readyz');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
      503,
      '1',
      'storage_unavailable',
    ]);
    expect(answer.body).not.toContain('db.internal');
  });

  test('/metrics shows counters in the format of Prometheus', async () => {
    const answer = await get('/metrics');
    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(answer.body).toMatch(/^# TYPE postrider_messages_accepted_total counter$/m);
  });

  test('/v1/openapi.json carries the version of the specification', async () => {
    const answer = await get('/v1/openapi.json');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([answer.json().openapi, answer.json().info.version]).toEqual(['3.1.0', '1.0.0']);
  });

  test('/v1/openapi.json comes packed to whoever takes gzip, and not again while it has not changed', async () => {
    const whole = await get('/v1/openapi.json');
    const packed = await get('/v1/openapi.json', { 'accept-encoding': 'br, gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(packed.rawPayload).toString()).toBe(whole.body);
    expect(packed.headers.etag).not.toBe(whole.headers.etag);
    for (const [etag, accepted] of [
      [whole.headers.etag, 'identity'],
      [packed.headers.etag, 'gzip'],
    ]) {
      const again = await get('/v1/openapi.json', {
        'if-none-match': String(etag),
        'accept-encoding': String(accepted),
      });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
  });
});
