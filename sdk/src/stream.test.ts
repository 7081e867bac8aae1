import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LiveSignal, Postrider, ServerError, type StreamOptions } from './index.ts';
import { type Frame, readFrames } from './server-sent-events.ts';

/* Streams as they are seldom, and as they will be one day: said here by hand. */

type Script = (answer: ServerResponse, lastEventId: string | undefined) => void;

let url: string;
let scripts: Script[];
const asked: (string | undefined)[] = [];
const server = createServer((request, answer) => {
  const place = request.headers['last-event-id'] as string | undefined;
  asked.push(place);
  const script = scripts.shift();
  if (script) script(answer, place);
  else answer.writeHead(404).end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked.length = 0;
});

const begin = (answer: ServerResponse) => answer.writeHead(200, { 'content-type': 'text/event-stream' });
const block = (id: string) => `id: ${id}\nevent: team.created\ndata: {"id":"${id}"}\n\n`;
const said =
  (text: string): Script =>
  (answer) =>
    void begin(answer).end(text);

/** Follows what these scripts say until it has this many events; returns their IDs. */
async function follow(count: number, options: StreamOptions, ...said: readonly Script[]): Promise<readonly string[]> {
  scripts = [...said];
  const pr = new Postrider({ apiKey: 'key', baseUrl: url, maxRetries: 0 });
  const ids: string[] = [];
  for await (const { id } of pr.events.stream(options)) if (ids.push(id) === count) break;
  return ids;
}

describe('a stream', () => {
  test('passes on what has no number, and does not take it for a place', async () => {
    const signals: LiveSignal[] = [];
    const live = 'event: conversation.viewed\ndata: {"agent_id":"ada"}\n\n';
    const ids = await follow(
      2,
      { onSignal: (signal) => signals.push(signal) },
      said(block('1') + live),
      said(block('2')),
    );
    expect(ids).toEqual(['1', '2']);
    expect(signals).toEqual([{ type: 'conversation.viewed', data: { agent_id: 'ada' } }]);
    expect(asked).toEqual([undefined, '1']);
  });

  test('continues behind a place that came without an event', async () => {
    const ids = await follow(1, { after: '3' }, said('retry: 2000\nid: 3\n\n: alive\nid: 9\n\n'), said(block('10')));
    expect(ids).toEqual(['10']);
    expect(asked).toEqual(['3', '9']);
  });

  test('drops half an event, and gets it again whole', async () => {
    const half = block('2').slice(0, -1);
    expect(await follow(2, {}, said(block('1') + half), said(block('2')))).toEqual(['1', '2']);
    expect(asked).toEqual([undefined, '1']);
  });

  test('connects again when it hears nothing for too long', async () => {
    const silent: Script = (answer) => void begin(answer).write(block('1'));
    expect(await follow(2, { silenceMs: 100 }, silent, said(block('2')))).toEqual(['1', '2']);
  });

  test('tries its first connection like any call, and later ones until the service is back', async () => {
    const busy: Script = (answer) => void answer.writeHead(503).end('{"error":"Busy.","code":"overloaded"}');
    await expect(follow(1, {}, busy)).rejects.toBeInstanceOf(ServerError);
    expect(await follow(2, {}, said(block('1')), busy, said(block('2')))).toEqual(['1', '2']);
  });

  test('says why it connects again, each time', async () => {
    const busy: Script = (answer) => void answer.writeHead(503).end('{"error":"Busy.","code":"overloaded"}');
    const states: string[] = [];
    const onState: NonNullable<StreamOptions['onState']> = (state, reason) =>
      void states.push([state, reason?.code ?? 'no reason'].join(': '));
    await follow(2, { onState }, said(block('1')), busy, said(block('2')));
    expect(states).toEqual([
      'open: no reason',
      'reconnecting: no reason',
      'reconnecting: overloaded',
      'open: no reason',
    ]);
  });

  test('also gives each event as the text that came', async () => {
    const text = '{"id":"1",  "sequence":1.0}';
    scripts = [said(`id: 1\nevent: team.created\ndata: ${text}\n\n`)];
    for await (const taken of new Postrider({ apiKey: 'key', baseUrl: url }).events.stream().withText()) {
      expect(taken).toEqual({ event: { id: '1', sequence: 1 }, text });
      break;
    }
  });

  test('begins a second walk with the event at which the first one was left', async () => {
    scripts = [said(block('1') + block('2')), said(block('2'))];
    const stream = new Postrider({ apiKey: 'key', baseUrl: url }).events.stream();
    for await (const { id } of stream) if (id === '2') break;
    expect(stream.cursor).toBe('1');
    for await (const { id } of stream) {
      expect(id).toBe('2');
      break;
    }
    expect(asked).toEqual([undefined, '1']);
  });
});

describe('blocks of server-sent events', () => {
  async function framesOf(chunks: readonly Uint8Array[]): Promise<readonly Frame[]> {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    const frames: Frame[] = [];
    for await (const frame of readFrames(body)) frames.push(frame);
    return frames;
  }

  test.each(['\n', '\r\n', '\r'])('are the same with any line end and wherever they are cut: %j', async (end) => {
    const text = ['id: 7', 'event: note.created', 'data: "Grüße', 'data: 👋"', ':a comment', '', 'data:x', '', ''].join(
      end,
    );
    const bytes = new TextEncoder().encode(text);
    const expected = [
      { id: '7', event: 'note.created', data: '"Grüße\n👋"' },
      { id: null, event: 'message', data: 'x' },
    ];
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }));
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const edges = [0, ...places.sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((to, index) => bytes.subarray(edges[index], to));
        expect(await framesOf(chunks)).toEqual(expected);
      }),
    );
  });

  test('that never end are refused', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(1_000_000));
    await expect(framesOf(Array(9).fill(chunk))).rejects.toThrow(/without an end/);
  });
});
