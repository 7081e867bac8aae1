import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pause } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import { UNLIMITED } from '../harness/stage.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';

const WANTED_SECONDS = 60;
const POLL_MS = 50;
const FIRST_PHONE = 447_000_000_000;

interface Ended {
  readonly status: string;
  readonly total: number;
  readonly created: number;
  readonly seconds: number;
}

/** How long a table of new contacts takes from the request to the end of its import. */
export const imports: Scenario = {
  name: 'imports',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'imports', settings: UNLIMITED }, async ({ server }) => [await measure(bench, server.url)]),
};

async function measure({ database, sizes, say }: Bench, url: string): Promise<Figure> {
  const rows = sizes.importRows;
  await call(url, '/v1/contact-attributes', JSON.stringify({ key: 'city', type: 'text' }));
  const form = new FormData();
  form.append('file', new File([table(rows)], 'people.csv', { type: 'text/csv' }));
  const media = await call(url, '/v1/media', form);
  const tried = await bringIn(url, { media_id: media.media_id, dry_run: true });
  say(`imports: ${rows} rows tried in ${tried.seconds.toFixed(1)} s`);
  const done = await bringIn(url, { media_id: media.media_id });
  return makeFigure(
    {
      name: `import of ${rows.toLocaleString('en')} new contacts`,
      database,
      value: done.seconds,
      unit: 's',
      limit: atMost(WANTED_SECONDS),
      yardstick: { name: 'the same file with dry_run', value: tried.seconds },
      detail: { rowsPerSecond: Math.round(rows / done.seconds), triedSeconds: tried.seconds },
    },
    done.status === 'completed' && done.created === rows && done.total === rows,
  );
}

function table(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, n) => `${FIRST_PHONE + n},Person ${n},customer;spring,Town ${n % 1_000}`,
  );
  return `phone,name,tags,attributes.city\n${lines.join('\n')}\n`;
}

async function bringIn(url: string, wish: object): Promise<Ended> {
  const beganMs = performance.now();
  const { id } = await call(url, '/v1/imports', JSON.stringify(wish));
  for (;;) {
    const now = await call(url, `/v1/imports/${id}`);
    const { status, total, created } = now as unknown as Ended;
    if (now.finished_at !== null) return { status, total, created, seconds: (performance.now() - beganMs) / 1000 };
    await pause(POLL_MS);
  }
}

async function call(url: string, path: string, body?: string | FormData): Promise<Record<string, unknown>> {
  const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { authorization: `Bearer ${API_KEY}`, ...json };
  const answer = await fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
