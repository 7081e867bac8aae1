import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLedger } from '../chaos/ledger.ts';
import { ask } from '../harness/ask.ts';
import { openDatabase } from '../harness/open-database.ts';
import { operate } from '../harness/operate.ts';
import { builtPrograms } from '../harness/paths.ts';
import { HANGS_AFTER_MS, pollUntil } from '../harness/pause.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { openStage, type Stage, UNLIMITED } from '../harness/stage.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { type SeededTenant, seedTenants } from '../scenarios/support/seed-tenants.ts';

const PAGE_BYTES = 8192;
const BATCH = 200;
const TEXT = 'A text long enough that few of its kind have room on one page. '.repeat(10);

const workspace = makeWorkspace();
let postgres: Postgres;
let stage: Stage;
let server: Server;
/** The tenant that is hit, and one that is not. */
let hit: readonly string[] = [];
let other: SeededTenant;
/** Ids on the damaged pages: one of messages that were sent, one of messages that wait. */
let sent: readonly string[] = [];
let waiting: readonly string[] = [];
let nextRecipient = 15_559_000_000;

/** Posts a batch. @returns the ids */
async function postBatch(key: string): Promise<readonly string[]> {
  const messages = Array.from({ length: BATCH }, () => ({ to: String(nextRecipient++), body: TEXT }));
  const answer = await ask({ origin: server.url, key, method: 'POST', path: '/v1/messages/batch', body: { messages } });
  return (answer.data as { readonly message: { readonly id: string } }[]).map(({ message }) => message.id);
}

function get(key: string, path: string): Promise<Response> {
  return fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
}

function untilLedgerHas(ids: readonly string[], what: string): Promise<true> {
  const probe = async (): Promise<true | null> => {
    const left = new Set(readLedger(stage.simulator.ledgerFile).map(({ messageId }) => messageId));
    return ids.every((id) => left.has(id)) ? true : null;
  };
  return pollUntil({ what, everyMs: 50, timeoutMs: HANGS_AFTER_MS, probe });
}

interface Page {
  readonly file: string;
  readonly block: number;
  readonly ids: readonly string[];
}

/** A page that holds messages of this list alone, and is not the last one, which receives what is stored next. */
async function pageOf(ids: readonly string[]): Promise<Page> {
  const database = await openDatabase(stage);
  try {
    const [page] = await database.query(
      `select pg_relation_filepath('outbound_messages') as file, (ctid::text::point)[0]::int as block,
         array_agg(message_id::text) as ids
       from outbound_messages group by 2
       having bool_and(message_id = any ($1::uuid[])) and (ctid::text::point)[0]::int < (select max((ctid::text::point)[0]::int) from outbound_messages)
       order by 2 limit 1`,
      [ids],
    );
    if (page === undefined) throw new Error('No page holds messages of this list alone.');
    return page as unknown as Page;
  } finally {
    await database.close();
  }
}

/** Turns over bits in the middle of a page, as a disk does that lies. */
function damage(dataFolder: string, { file, block }: Page): void {
  const bytes = Buffer.alloc(64);
  const at = block * PAGE_BYTES + PAGE_BYTES / 2;
  const handle = openSync(join(dataFolder, file), 'r+');
  readSync(handle, bytes, 0, bytes.length, at);
  writeSync(
    handle,
    bytes.map((byte) => byte ^ 0xff),
    0,
    bytes.length,
    at,
  );
  closeSync(handle);
}

interface LogLine {
  readonly msg: string;
  readonly level: number;
  readonly messageId?: string;
}

/** The lines of this name in the log of the server, as soon as there are so many: it is written a moment later. */
function untilLogged(name: string, count: number): Promise<readonly LogLine[]> {
  const probe = async (): Promise<readonly LogLine[] | null> => {
    const text = readFileSync(join(workspace.folder, 'postgres-damaged-page-server.log'), 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n')).split('\n');
    const lines = whole.filter((line) => line.startsWith('{')).map((line): LogLine => JSON.parse(line));
    const named = lines.filter(({ msg }) => msg === name);
    return named.length >= count ? named : null;
  };
  return pollUntil({ what: `the log lacks lines of ${name}`, everyMs: 50, timeoutMs: HANGS_AFTER_MS, probe });
}

beforeAll(async () => {
  const programs = builtPrograms();
  postgres = await startPostgres(workspace.folder, { checksums: true });
  workspace.onClose(() => postgres.stop());
  const settings = { ...UNLIMITED };
  stage = await openStage({
    programs,
    workspace,
    database: 'postgres',
    postgres,
    name: 'damaged-page',
    settings,
    networkRate: 0,
  });
  server = stage.server;
  const old = await postBatch(API_KEY);
  await untilLedgerHas(old, 'the old messages were not sent');
  server = await stage.replaceServer({ ...settings, MESSAGING_ROLES: 'api' }, async () => {
    const [made] = await seedTenants(stage, { count: 1, nowMs: Date.now() });
    if (made === undefined) throw new Error('No tenant was made.');
    other = made;
    const database = await openDatabase(stage);
    await database.query("update api_keys set scopes = '{}'");
    await database.close();
  });
  hit = await postBatch(API_KEY);
  const ofOther = await postBatch(other.key);
  server = await stage.replaceServer(settings, async () => {
    const pages = [await pageOf(old), await pageOf(hit)] as const;
    await postgres.whileStopped((folder) => {
      for (const page of pages) damage(folder, page);
    });
    sent = pages[0].ids;
    waiting = pages[1].ids;
  });
  await untilLedgerHas(ofOther, 'the messages of the other tenant were not sent');
});
afterAll(() => workspace.close());

describe('a damaged page of messages', () => {
  test('keeps back what waits on it and nothing else: every other message of its lane is sent', async () => {
    expect(waiting.length).toBeGreaterThan(1);
    await untilLedgerHas(
      hit.filter((id) => !waiting.includes(id)),
      'the other messages of the lane were not sent',
    );
    const logged = await untilLogged('queue.message_unreadable', waiting.length);
    expect(new Set(logged.map(({ messageId }) => messageId))).toEqual(new Set(waiting));
    expect(logged.every(({ level }) => level === 50)).toBe(true);
    const left = new Set(readLedger(stage.simulator.ledgerFile).map(({ messageId }) => messageId));
    expect(waiting.filter((id) => left.has(id))).toEqual([]);
    expect((await server.counters()).get('postrider_unreadable_total{by="claim"}')).toBe(waiting.length);
  });

  test('is answered 500 where it is read, with nothing of it, and logged as an error', async () => {
    for (const id of [...sent, ...waiting]) {
      const answer = await get(API_KEY, `/v1/messages/${id}`);
      expect(answer.status).toBe(500);
      expect(Object.keys((await answer.json()) as object)).toEqual(['error', 'code']);
    }
    const failed = await untilLogged('request.failed', sent.length + waiting.length);
    expect(failed.every(({ level }) => level === 50)).toBe(true);
    expect((await server.counters()).get('postrider_unreadable_total{by="request"}')).toBeGreaterThan(0);
  });

  test('hides nothing else: both tenants read, send and are sent for as before', async () => {
    const readable = hit.filter((id) => !waiting.includes(id));
    for (const id of readable.slice(0, 20)) expect((await get(API_KEY, `/v1/messages/${id}`)).status).toBe(200);
    for (const key of [API_KEY, other.key]) {
      await untilLedgerHas(await postBatch(key), 'new messages were not sent');
      expect((await get(key, '/v1/messages/outbound?limit=10')).status).toBe(200);
    }
  });

  test('is what the doctor fails for', async () => {
    const { databaseUrl, dataDir } = stage;
    const doctor = operate({ program: builtPrograms().server, dataDir, databaseUrl }, ['doctor']);
    const printed = await doctor.catch((error: { readonly stdout: string }) => JSON.parse(error.stdout));
    const { checks } = printed as { readonly checks: readonly { readonly name: string; readonly state: string }[] };
    expect(checks.find(({ name }) => name === 'damaged pages')).toMatchObject({ state: 'fail' });
  });
});
