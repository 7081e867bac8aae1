import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { pause } from '../harness/pause.ts';
import { PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import { APP_SECRET } from '../harness/simulator.ts';
import { UNLIMITED } from '../harness/stage.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const WANTED_SECONDS = 300;
const POLL_MS = 100;
/** Of one thread: a customer who wrote and was answered, over half a year. */
const THREAD_MESSAGES = 50;
/** Of one callback. */
const PORTION_THREADS = 20;
const FIRST_CUSTOMER = 447_000_000_000;
const BUSINESS = '15550001111';
const HALF_A_YEAR_S = 180 * 24 * 60 * 60;

/** How long the messages from before the API take, from the first callback until all are stored, and what they cost. */
export const past: Scenario = {
  name: 'past',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'past', settings: UNLIMITED }, async ({ server }) => [await measure(bench, server)]),
};

async function measure({ database, sizes, say }: Bench, server: Server): Promise<Figure> {
  const wanted = sizes.pastMessages;
  const portions = Math.ceil(wanted / (THREAD_MESSAGES * PORTION_THREADS));
  const [beganMs, cpuMs] = [performance.now(), cpuMsOf(server.pid)];
  for (let portion = 0; portion < portions; portion += 1) await post(server.url, portionBody(portion));
  const takenSeconds = (performance.now() - beganMs) / 1000;
  say(`past: ${portions} callbacks taken in ${takenSeconds.toFixed(1)} s`);
  while ((await storedOf(server)) < wanted) await pause(POLL_MS);
  const seconds = (performance.now() - beganMs) / 1000;
  const cpuSeconds = (cpuMsOf(server.pid) - cpuMs) / 1000;
  say(`past: stored after ${seconds.toFixed(1)} s, with ${cpuSeconds.toFixed(1)} s of CPU time in the server`);
  const stored = await storedOf(server);
  return makeFigure(
    {
      name: `${wanted.toLocaleString('en')} messages from before the API`,
      database,
      value: seconds,
      unit: 's',
      limit: atMost(WANTED_SECONDS),
      yardstick: { name: 'taking the callbacks', value: takenSeconds },
      detail: { messagesPerSecond: Math.round(stored / seconds), cpuSecondsOfTheServer: cpuSeconds },
    },
    stored === wanted,
  );
}

async function storedOf(server: Server): Promise<number> {
  return (await server.counters()).get('postrider_callback_items_total{kind="past"}') ?? 0;
}

function portionBody(portion: number): string {
  const threads = Array.from({ length: PORTION_THREADS }, (_, index) => threadOf(portion * PORTION_THREADS + index));
  const metadata = { display_phone_number: BUSINESS, phone_number_id: PHONE_NUMBER_ID };
  const history = [{ metadata: { phase: 1, chunk_order: portion, progress: 50 }, threads }];
  const value = { messaging_product: 'whatsapp', metadata, history };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'history', value }] }],
  });
}

function threadOf(thread: number): object {
  const customer = String(FIRST_CUSTOMER + thread);
  const startS = Math.floor(Date.now() / 1000) - HALF_A_YEAR_S;
  const messages = Array.from({ length: THREAD_MESSAGES }, (_, index) => {
    const people = index % 2 === 0 ? { from: customer } : { from: BUSINESS, to: customer };
    const timestamp = String(startS + index * 3_600 + (thread % 3_600));
    const body = `Message ${index} of ${THREAD_MESSAGES} with customer ${customer}: is my parcel on its way?`;
    const history_context = { status: 'READ' };
    return { ...people, id: `wamid.PAST.${thread}.${index}`, timestamp, type: 'text', text: { body }, history_context };
  });
  return { id: customer, messages };
}

async function post(url: string, body: string): Promise<void> {
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  const answer = await request(`${url}/webhooks/meta`, { method: 'POST', headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`A callback was answered with ${answer.statusCode}.`);
}
