import type { LightMyRequestResponse } from 'fastify';
import { authorization, type FakeApi } from './fake-api.ts';

/** The least that POST /v1/messages takes. */
export const good = { to: '447700900123', body: 'hello' };

/** Posts a message with a key that may do everything; `headers` replace the usual ones. */
export function post(
  api: FakeApi,
  payload: string | Buffer | object,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
  const all = { authorization, 'content-type': 'application/json', ...headers };
  return api.app.inject({ method: 'POST', url: '/v1/messages', headers: all, payload: body });
}
