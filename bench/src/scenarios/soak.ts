import { join } from 'node:path';
import { atMost, type Figure, makeFigure, noLimit } from '../figure.ts';
import { ask } from '../harness/ask.ts';
import { type MemorySample, makeMemoryLog } from '../harness/memory-log.ts';
import { pause } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LoadJob } from '../load/job.ts';
import { readProgress } from '../progress.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { slopeOf } from '../slope.ts';
import { CHORES } from './support/soak-chores.ts';
import { startReceiver } from './support/webhook-receiver.ts';

const WANTED_MB_PER_MINUTE = 1;
const CONNECTIONS = 16;
/** Slow enough that nothing waits, on the embedded database too: what is kept for each message shows all the same. */
const POSTS_PER_SECOND = 50;
/** So many that hardly anybody is written to twice. */
const RECIPIENTS = 10_000_000;
const WEBHOOK_TYPES = ['message.sent', 'message.received', 'conversation.opened'];
/** A machine that does other things too may have the service refuse a few with 503. */
const WANTED_ACCEPTED_SHARE = 0.99;
const SAMPLE_MS = 10_000;
const LEAST_SAMPLES = 20;
/** A value of nothing or less would say that nothing was measured. */
const LEAST_SLOPE = 0.01;
const GAP_MS = 100;
const MS_PER_MINUTE = 60_000;

/**
 * Whether memory grows while a service does everything that it does, for two hours: messages of seven types with all their statuses,
 * customers who write, webhooks, lists, streams, uploads, and things that are made and removed. Resident memory, and what is left on the
 * heap after a full collection, are sampled every ten seconds; what counts is the slope over the second half. The embedded database is a
 * thread of the process and grows with its tables, so there only the heap has a limit.
 */
export const soak: Scenario = {
  name: 'soak',
  databases: ['postgres', 'pglite'],
  onlyByName: true,
  run: (bench) => {
    const everyMs = Math.min(SAMPLE_MS, (bench.sizes.soakSeconds * 1000) / LEAST_SAMPLES);
    const log = makeMemoryLog(join(bench.workspace.folder, `${bench.database}-soak-memory.ndjson`), everyMs);
    const settings = { ...UNLIMITED, ...log.settings, MESSAGING_WEBHOOK_ALLOW: '127.0.0.1' };
    return onStage(bench, { name: 'soak', settings }, async (stage) => {
      const worked = await work(bench, stage);
      return figuresOf(bench, worked, log.read());
    });
  },
};

interface Worked {
  readonly chores: number;
  readonly messages: number;
  readonly webhooks: number;
  /** By answer, of the posts beside the chores. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Messages at a steady rate, and beside them one chore after the other. @throws Error when a chore fails */
async function work(bench: Bench, stage: Stage): Promise<Worked> {
  const { url: origin } = stage.server;
  const receiver = await startReceiver('/none');
  try {
    const body = { url: receiver.url, types: WEBHOOK_TYPES };
    await ask({ origin, method: 'POST', path: '/v1/webhook-endpoints', body });
    const chores = { stage, webhookUrl: receiver.url, seconds: bench.sizes.soakSeconds };
    const [turns, { outcomes }] = await Promise.all([doChores(chores), bench.load.run(job(bench, stage))]);
    const { accepted } = await readProgress(stage.server, () => performance.now());
    return { chores: turns, messages: accepted, webhooks: receiver.arrivals.size, outcomes };
  } finally {
    await receiver.close();
  }
}

interface Chores {
  readonly stage: Stage;
  readonly webhookUrl: string;
  readonly seconds: number;
}

/** One chore after the other. @returns how many there were */
async function doChores({ stage, webhookUrl, seconds }: Chores): Promise<number> {
  const endMs = performance.now() + seconds * 1000;
  let turn = 0;
  for (; performance.now() < endMs; turn += 1) {
    await CHORES[turn % CHORES.length]?.({ stage, turn, webhookUrl });
    await pause(GAP_MS);
  }
  return turn;
}

function job({ sizes, seed }: Bench, { server }: Stage): LoadJob {
  return {
    origin: server.url,
    key: API_KEY,
    connections: CONNECTIONS,
    durationMs: sizes.soakSeconds * 1000,
    ratePerSecond: POSTS_PER_SECOND,
    request: { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed, mixed: true },
  };
}

function figuresOf({ database, say }: Bench, worked: Worked, samples: readonly MemorySample[]): readonly Figure[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const slope = (of: 'residentMb' | 'liveMb'): number =>
    slopeOf(half.map((sample) => ({ x: sample.atMs / MS_PER_MINUTE, y: sample[of] })));
  const [resident, live] = [slope('residentMb'), slope('liveMb')];
  const last = samples.at(-1);
  say(
    `  ${resident.toFixed(2)} MB/min resident, ${live.toFixed(2)} MB/min live, in the end ${last?.residentMb.toFixed(0)} and ${last?.liveMb.toFixed(0)} MB, over ${JSON.stringify(worked)}`,
  );
  const complete =
    half.length >= LEAST_SAMPLES / 4 && acceptedShare(worked) >= WANTED_ACCEPTED_SHARE && worked.webhooks > 0;
  const common = { database, unit: 'MB/min' };
  const limit = atMost(WANTED_MB_PER_MINUTE);
  return [
    makeFigure(
      {
        ...common,
        name: 'growth of what is left on the heap after a collection, second half',
        value: Math.max(LEAST_SLOPE, live),
        limit,
        yardstick: { name: 'MB in the end', value: last?.liveMb ?? 0 },
        detail: { ...worked, samples },
      },
      complete,
    ),
    makeFigure(
      {
        ...common,
        name: 'growth of resident memory, second half',
        value: Math.max(LEAST_SLOPE, resident),
        limit: database === 'postgres' ? limit : noLimit,
        yardstick: { name: 'MB in the end', value: last?.residentMb ?? 0 },
        detail: {},
      },
      complete,
    ),
  ];
}

function acceptedShare({ outcomes }: Worked): number {
  const posts = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return (outcomes['202'] ?? 0) / Math.max(1, posts);
}
