import { Histogram } from '../histogram.ts';
import { Connection, type Prepared } from './connection.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { requestsOf } from './requests.ts';

/** How often a rated job polls for requests that are due. */
const TICK_MS = 1;

/** Runs one job and resolves when its last answer is there. */
export async function generateLoad(job: LoadJob): Promise<LoadResult> {
  const connections = Array.from({ length: job.connections }, () => new Connection(job.origin));
  const tally = new Tally();
  const startedMs = performance.now();
  if (job.ratePerSecond === null) await closedLoop(job, connections, tally);
  else await openLoop(job, job.ratePerSecond, { connections, tally });
  const durationMs = performance.now() - startedMs;
  await Promise.all(connections.map((connection) => connection.close()));
  return tally.result(durationMs);
}

interface Answer {
  /** 0: there was none, and `said` is the reason. */
  readonly status: number;
  readonly said: string;
}

class Tally {
  readonly #latency = new Histogram();
  readonly #refusals = new Histogram();
  readonly #accepted: number[] = [];
  readonly #outcomes = new Map<string, number>();
  #succeeded = 0;
  #dropped = 0;

  drop(): void {
    this.#dropped += 1;
  }

  add({ status, said }: Answer, ms: number, { recipient }: Prepared): void {
    const name = status === 0 ? said : String(status);
    this.#outcomes.set(name, (this.#outcomes.get(name) ?? 0) + 1);
    const isSuccess = status >= 200 && status <= 299;
    (isSuccess ? this.#latency : this.#refusals).record(ms);
    if (!isSuccess) return;
    this.#succeeded += 1;
    if (recipient !== undefined) this.#accepted.push(recipient);
  }

  result(durationMs: number): LoadResult {
    const requests = [...this.#outcomes.values()].reduce((sum, count) => sum + count, 0);
    return {
      durationMs,
      requests,
      succeeded: this.#succeeded,
      outcomes: Object.fromEntries(this.#outcomes),
      perSecond: (this.#succeeded * 1000) / durationMs,
      latency: this.#latency.summary(),
      refusals: this.#refusals.summary(),
      dropped: this.#dropped,
      accepted: this.#accepted,
    };
  }
}

/** Each connection asks at least once, however long it takes to prepare that, and again as soon as it is answered. */
async function closedLoop(job: LoadJob, connections: readonly Connection[], tally: Tally): Promise<void> {
  const next = requestsOf(job);
  const endMs = performance.now() + job.durationMs;
  const run = (connection: Connection): Promise<void> =>
    new Promise((resolve) => {
      const ask = (): void => {
        const askedMs = performance.now();
        const request = next();
        connection.ask(request, (status, said) => {
          const nowMs = performance.now();
          tally.add({ status, said }, nowMs - askedMs, request);
          if (nowMs < endMs) ask();
          else resolve();
        });
      };
      ask();
    });
  await Promise.all(connections.map(run));
}

interface OpenLoop {
  readonly connections: readonly Connection[];
  readonly tally: Tally;
}

/** Requests are due at fixed moments; one that finds every connection taken waits, and its wait counts, or is left out. */
function openLoop(job: LoadJob, ratePerSecond: number, { connections, tally }: OpenLoop): Promise<void> {
  const next = requestsOf(job);
  const total = Math.floor((ratePerSecond * job.durationMs) / 1000);
  const idle = [...connections];
  const startMs = performance.now();
  const dueAt = (index: number): number => startMs + (index * 1000) / ratePerSecond;
  let begun = 0;
  let ended = 0;
  return new Promise((resolve) => {
    const end = (): void => {
      ended += 1;
      if (ended < total) return;
      clearInterval(timer);
      resolve();
    };
    const ask = (connection: Connection, dueMs: number): void => {
      const request = next();
      connection.ask(request, (status, said) => {
        tally.add({ status, said }, performance.now() - dueMs, request);
        idle.push(connection);
        end();
        pump();
      });
    };
    const pump = (): void => {
      const nowMs = performance.now();
      while (begun < total && dueAt(begun) <= nowMs) {
        const connection = idle.pop();
        if (connection === undefined && job.dropsWhenBusy !== true) return;
        const dueMs = dueAt(begun++);
        if (connection !== undefined) ask(connection, dueMs);
        else {
          tally.drop();
          end();
        }
      }
    };
    const timer = setInterval(pump, TICK_MS);
  });
}
