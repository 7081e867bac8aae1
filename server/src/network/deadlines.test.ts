import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeS3Store } from '#blobs/s3-store';
import { readConfig } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import { STUBBORN_WAYS, type StubbornPeer, startStubbornPeer } from '#testing/peers/stubborn-peer';
import { makeAccountClient } from './account-client.ts';
import { makeNetworkClient } from './client.ts';
import { makeFiguresClient } from './figures-client.ts';
import { makeMediaClient } from './media-client.ts';
import { makePaymentGateway } from './payment-gateway.ts';
import { makeResumableUploadClient } from './resumable-upload-client.ts';
import { makeTemplateClient } from './template-client.ts';

const DEADLINE_MS = 300;
/** Leaves a busy machine time to connect and send before the deadline. */
const LONG_MS = 5_000;
/** Limit against hanging: a peer that drips never ends. */
const PATIENCE_MS = 240_000;

let peer: StubbornPeer;
let folder: string;
const closes: (() => Promise<void>)[] = [];

beforeAll(async () => {
  peer = await startStubbornPeer();
  folder = mkdtempSync(join(tmpdir(), 'postrider-deadlines-'));
});
afterAll(async () => {
  await Promise.all(closes.map((close) => close()));
  await peer.close();
  rmSync(folder, { recursive: true });
});

/** Every exchange with anything outside, with a short deadline. */
function exchanges(networkTimeoutMs = DEADLINE_MS): Readonly<Record<string, () => Promise<unknown>>> {
  const config = {
    ...readConfig({}),
    networkUrl: peer.url,
    networkTimeoutMs,
    stripeUrl: peer.url,
    stripeKey: 'sk_test',
    appId: '555',
  };
  const network = makeNetworkClient(config);
  const media = makeMediaClient(config, DEADLINE_MS);
  const sessions = makeResumableUploadClient(config, DEADLINE_MS);
  const accounts = makeAccountClient(config, DEADLINE_MS);
  const templates = makeTemplateClient(config, DEADLINE_MS);
  const figures = makeFiguresClient(config, DEADLINE_MS);
  const payments = makePaymentGateway(config, DEADLINE_MS);
  const bucket = { endpoint: peer.url, region: 'r', bucket: 'b', accessKeyId: 'a', secretAccessKey: 's', prefix: '' };
  const lookup = makeNameLookup(config);
  const store = makeS3Store({ ...bucket, lookup, stagingFolder: folder, exchangeMs: DEADLINE_MS });
  closes.push(...[network, media, sessions, accounts, templates, figures, store].map((client) => () => client.close()));
  const bytes = () => Readable.from([Buffer.from('abc')]);
  const file = { phoneNumberId: '1', token: null, mimeType: 'image/png', filename: null, size: 3 };
  return {
    'a send': () => network.send({ phoneNumberId: '1', edge: 'messages', body: '{}', token: null }),
    'a read receipt': () =>
      network.markRead({ phoneNumberId: '1', token: null, networkMessageId: 'wamid.1', typing: false }),
    'an upload': () => media.upload({ ...file, bytes: bytes() }),
    'a look-up of media': () => media.locate({ networkMediaId: '1', phoneNumberId: '1', token: null }),
    'a download': async () => {
      const answer = await media.download(`${peer.url}/file`, null, DEADLINE_MS);
      if (answer.kind === 'bytes') for await (const _chunk of answer.body);
    },
    'the beginning of a resumable upload': () => sessions.begin({ size: 3, mimeType: 'image/png', filename: null }),
    'a piece of a resumable upload': () => sessions.send({ session: 'upload:1', offset: 0, length: 3, bytes: bytes() }),
    'a call of an account': () => accounts.describe('token', '1'),
    'a page of templates': () => templates.listPage({ networkAccountId: '1', token: null }, null),
    'figures of templates': () =>
      figures.templateFigures(
        { networkAccountId: '1', token: null },
        { period: { startMs: 0, endMs: 1_000 }, networkTemplateIds: ['1'] },
      ),
    'a question to the payment gateway': async () => payments?.findSubscription('sub_1'),
    'the size of a blob': () => store.size('0123'),
    'the removal of a blob': () => store.remove('0123'),
    'the bytes of a blob': async () => {
      for await (const _chunk of (await store.open('0123')) ?? []);
    },
    'a blob on its way to the bucket': async () => (await store.receive(bytes(), 10)).keep('0123'),
  };
}

describe('every exchange ends at its deadline, whatever the peer does', () => {
  test.each(STUBBORN_WAYS)('a peer that %s', async (way) => {
    peer.way = way;
    const ends = Object.entries(exchanges()).map(async ([name, ask]) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve(`${name} has not ended`), PATIENCE_MS);
      });
      const ended = ask().then(
        () => 'ended',
        () => 'ended',
      );
      const outcome = await Promise.race([ended, late]);
      clearTimeout(timer);
      return outcome;
    });
    expect([...new Set(await Promise.all(ends))]).toEqual(['ended']);
  });

  test('a send whose connection never comes about has not left', async () => {
    peer.way = 'never answers';
    // The peer takes the connection, and never shakes hands.
    const networkUrl = peer.url.replace('http:', 'https:');
    const network = makeNetworkClient({ ...readConfig({}), networkUrl, networkTimeoutMs: DEADLINE_MS });
    closes.push(() => network.close());
    const outcome = await network.send({ phoneNumberId: '1', edge: 'messages', body: '{}', token: null });
    expect(outcome).toEqual({ kind: 'not_sent', reason: 'UND_ERR_CONNECT_TIMEOUT' });
  });

  test('a send that left counts as unknown at its deadline', async () => {
    peer.way = 'drips a body';
    const outcome = await exchanges(LONG_MS)['a send']?.();
    expect(outcome).toEqual({ kind: 'unknown', reason: 'DEADLINE_OVER' });
  });
});
