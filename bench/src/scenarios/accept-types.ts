import { atLeast } from '../figure.ts';
import { API_KEY } from '../harness/server.ts';
import { UNLIMITED } from '../harness/stage.ts';
import type { LoadJob } from '../load/job.ts';
import { onStage, type Scenario } from '../scenario.ts';
import { alternate, compared } from './support/alternate.ts';

const CONNECTIONS = 64;
const RECIPIENTS = 100_000;
const WARM_UP_REQUESTS = 5_000;
const WANTED_RATIO = 0.9;
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;

/** Durable accepts of seven types in turn against text alone, on one server: checking a type must not cost much. */
export const acceptTypes: Scenario = {
  name: 'accept-types',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'accept-types', settings: SETTINGS }, async ({ server }) => {
      const { seed } = bench;
      const job =
        (mixed: boolean) =>
        (durationMs: number): LoadJob => {
          const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed, mixed } as const;
          return {
            origin: server.url,
            key: API_KEY,
            connections: CONNECTIONS,
            durationMs,
            ratePerSecond: null,
            request,
          };
        };
      const pairs = await alternate(bench, {
        one: { job: job(true), program: server, warmUpRequests: WARM_UP_REQUESTS },
        other: { job: job(false), program: server, warmUpRequests: WARM_UP_REQUESTS },
      });
      return compared(bench, pairs, {
        name: 'durable accept of mixed types ÷ of text',
        limit: atLeast(WANTED_RATIO),
        status: 202,
        detail: { connections: CONNECTIONS },
      });
    }),
};
