import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pause } from '../harness/pause.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram, type LatencySummary } from '../histogram.ts';
import { Connection } from '../load/connection.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { type SeededTenant, seedTenants } from './seed-tenants.ts';

const UPLOADS = 300;
const UPLOAD_BYTES = 16 * 1024 * 1024;
/** Bytes that each upload receives per second, so that none of them is idle. */
const TRICKLE = Buffer.alloc(4 * 1024);
const TRICKLE_EVERY_MS = 1_000;
const OTHERS = 10;
/** Between two requests of one of the others: together they ask a hundred times a second. */
const GAP_MS = 100;
const WANTED_RATIO = 1.1;
const FIRST_RECIPIENT = 15_556_000_000;
const MS_PER_SECOND = 1000;
/** More than the default allows: what is measured is the uploads, not their refusal. */
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api', MESSAGING_OPEN_UPLOADS: String(UPLOADS) } as const;

/** How long tenants wait for a 202 while another has 300 uploads half sent, compared with the same without them. */
export const halfUploads: Scenario = {
  name: 'half-uploads',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'half-uploads', settings: SETTINGS }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  let tenants: readonly SeededTenant[] = [];
  const server = await stage.replaceServer(SETTINGS, async () => {
    tenants = await seedTenants(stage, { count: OTHERS, nowMs: Date.now() });
  });
  const callers = openCallers(server, tenants);
  const paths = await beginUploads(server);
  const [calm, beside] = [new Histogram(), new Histogram()];
  const { quietRounds, quietSeconds } = bench.sizes;
  try {
    // Both ways once, uncounted: the server has just started.
    for (const uploading of [false, true]) {
      await round(server, callers, { paths: uploading ? paths : [], seconds: quietSeconds, into: new Histogram() });
    }
    for (let time = 0; time < quietRounds; time += 1) {
      for (const uploading of time % 2 === 0 ? [false, true] : [true, false]) {
        const into = uploading ? beside : calm;
        await round(server, callers, { paths: uploading ? paths : [], seconds: quietSeconds, into });
      }
    }
  } finally {
    await Promise.all(callers.map(({ connection }) => connection.close()));
  }
  return [figure(bench, calm.summary(), beside.summary())];
}

interface Caller {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly firstRecipient: number;
  posted: number;
}

function openCallers({ url }: Server, tenants: readonly SeededTenant[]): readonly Caller[] {
  return tenants.map(({ key }, index) => ({
    connection: new Connection(url),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    firstRecipient: FIRST_RECIPIENT + index * 1_000_000,
    posted: 0,
  }));
}

/** Begins the uploads of the first tenant. @returns their paths */
async function beginUploads({ url }: Server): Promise<readonly string[]> {
  const paths: string[] = [];
  const headers = {
    authorization: `Bearer ${API_KEY}`,
    'tus-resumable': '1.0.0',
    'upload-length': String(UPLOAD_BYTES),
  };
  while (paths.length < UPLOADS) {
    const answer = await fetch(`${url}/v1/media/resumable`, { method: 'POST', headers });
    await answer.text();
    const location = answer.headers.get('location');
    if (answer.status !== 201 || location === null) throw new Error(`An upload was answered with ${answer.status}.`);
    paths.push(location);
  }
  return paths;
}

interface Round {
  /** Uploads that are on their way meanwhile. */
  readonly paths: readonly string[];
  readonly seconds: number;
  readonly into: Histogram;
}

async function round(server: Server, callers: readonly Caller[], { paths, seconds, into }: Round): Promise<void> {
  const sockets = await Promise.all(paths.map((path) => startPiece(server, path)));
  const trickle = setInterval(() => {
    for (const socket of sockets) socket.write(TRICKLE);
  }, TRICKLE_EVERY_MS);
  try {
    await Promise.all(
      callers.map((caller, index) => post(caller, { seconds, into, startMs: index * (GAP_MS / OTHERS) })),
    );
    const broken = sockets.filter(({ destroyed }) => destroyed).length;
    if (broken > 0) throw new Error(`${broken} uploads were broken off by the server.`);
  } finally {
    clearInterval(trickle);
    await Promise.all(sockets.map((socket) => closed(socket)));
  }
}

/** Sends the head of a piece that is as long as the file has left, and some bytes of it. */
async function startPiece({ url }: Server, path: string): Promise<Socket> {
  const offset = await offsetOf(url, path);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const fields = [
    'Host: bench',
    `Authorization: Bearer ${API_KEY}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    `Upload-Offset: ${offset}`,
    `Content-Length: ${UPLOAD_BYTES - offset}`,
  ];
  socket.write(`PATCH ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
  socket.write(TRICKLE);
  return socket;
}

async function offsetOf(origin: string, path: string): Promise<number> {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${API_KEY}` } });
  return ((await answer.json()) as { readonly offset: number }).offset;
}

async function closed(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  socket.destroy();
  await once(socket, 'close');
}

/** Posts at times that no answer changes. @throws Error when one is not accepted */
async function post(
  caller: Caller,
  { seconds, into, startMs }: { readonly seconds: number; readonly into: Histogram; readonly startMs: number },
): Promise<void> {
  const answers: Promise<number>[] = [];
  const fromMs = performance.now() + startMs;
  for (let dueMs = fromMs; dueMs < fromMs + seconds * MS_PER_SECOND; dueMs += GAP_MS) {
    await pause(Math.max(0, dueMs - performance.now()));
    answers.push(postOne(caller, into));
  }
  const refused = (await Promise.all(answers)).find((status) => status !== 202);
  if (refused !== undefined) throw new Error(`A tenant was answered with ${refused} instead of 202.`);
}

function postOne(caller: Caller, into: Histogram): Promise<number> {
  const { connection, headers, firstRecipient } = caller;
  caller.posted += 1;
  const body = JSON.stringify({ to: String(firstRecipient + caller.posted), body: 'Your code is 471 100.' });
  const fromMs = performance.now();
  return new Promise((resolve) =>
    connection.ask({ method: 'POST', path: '/v1/messages', headers, body }, (status) => {
      into.record(performance.now() - fromMs);
      resolve(status);
    }),
  );
}

function figure({ database, say }: Bench, calm: LatencySummary, beside: LatencySummary): Figure {
  say(`  p99 ${calm.p99Ms.toFixed(1)} ms in calm, ${beside.p99Ms.toFixed(1)} ms beside ${UPLOADS} half-sent uploads`);
  return makeFigure(
    {
      name: `accept beside ${UPLOADS} half-sent uploads of another tenant, p99`,
      database,
      value: calm.p99Ms === 0 ? 0 : beside.p99Ms / calm.p99Ms,
      unit: '× in calm',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'itself a ratio', value: 1 },
      detail: { calm, beside, uploads: UPLOADS },
    },
    calm.p99Ms > 0,
  );
}
