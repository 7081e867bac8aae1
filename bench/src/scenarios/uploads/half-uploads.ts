import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pause } from '../../harness/pause.ts';
import { API_KEY, type Server } from '../../harness/server.ts';
import { UNLIMITED } from '../../harness/stage.ts';
import { onStage, type Scenario } from '../../scenario.ts';
import { acceptBeside, type Trouble } from '../support/accept-callers.ts';
import { type SeededTenant, seedTenants } from '../support/seed-tenants.ts';

const UPLOADS = 300;
const UPLOAD_BYTES = 16 * 1024 * 1024;
/** Bytes that each upload receives per second, so that none of them is idle. */
const TRICKLE = Buffer.alloc(4 * 1024);
const TRICKLE_EVERY_MS = 1_000;
/** Senders do not know of each other: each has its own moment within the second. */
const STEPS = 100;
/** What the beginning of so many uploads leaves to do is done by then. */
const BEGUN_MS = 1_000;
const OTHERS = 10;
/** More than the default allows: what is measured is the uploads, not their refusal. */
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api', MESSAGING_OPEN_UPLOADS: String(UPLOADS) } as const;

/** How long tenants wait for a 202 while another has 300 uploads half sent, compared with the same without them. */
export const halfUploads: Scenario = {
  name: 'half-uploads',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'half-uploads', settings: SETTINGS }, async (stage) => {
      let tenants: readonly SeededTenant[] = [];
      const server = await stage.replaceServer(SETTINGS, async () => {
        tenants = await seedTenants(stage, { count: OTHERS, nowMs: Date.now() });
      });
      const trouble = uploading(server, await beginUploads(server));
      return [await acceptBeside(bench, { server, tenants, trouble, name: `${UPLOADS} half-sent uploads` })];
    }),
};

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

/** Each upload gets a few bytes now and then, and is broken off in the end. */
function uploading(server: Server, paths: readonly string[]): Trouble {
  return async () => {
    const sockets = await Promise.all(paths.map((path) => startPiece(server, path)));
    let step = 0;
    const trickle = setInterval(() => {
      for (let place = step; place < sockets.length; place += STEPS) sockets[place]?.write(TRICKLE);
      step = (step + 1) % STEPS;
    }, TRICKLE_EVERY_MS / STEPS);
    await pause(BEGUN_MS);
    return async () => {
      clearInterval(trickle);
      const broken = sockets.filter(({ destroyed }) => destroyed).length;
      await Promise.all(sockets.map((socket) => closed(socket)));
      if (broken > 0) throw new Error(`${broken} uploads were broken off by the server.`);
    };
  };
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
