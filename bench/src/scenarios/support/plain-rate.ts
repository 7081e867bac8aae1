import { API_KEY } from '../../harness/server.ts';
import type { Bench } from '../../scenario.ts';

const CONNECTIONS = 64;
const YARDSTICK_MS = 2_000;
const QUICK_MS = 300;

/** Requests per second of the route without storage, now: what the speed of this machine is compared with. */
export async function plainRate({ load, plain, sizes, seed }: Bench): Promise<number> {
  const durationMs = sizes.acceptSeconds < 1 ? QUICK_MS : YARDSTICK_MS;
  const request = { kind: 'send', path: '/v1/messages', recipients: 1_000, seed } as const;
  const result = await load.run({
    origin: plain.url,
    key: API_KEY,
    connections: CONNECTIONS,
    durationMs,
    ratePerSecond: null,
    request,
  });
  return result.perSecond;
}
