import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { build, type Rollup } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';

/** What workers at the edge of a network have: fetch, cryptography and streams, but no process and nothing of Node. */
const PLATFORM = {
  ...{ fetch, FormData, Blob, File, Headers, Request, Response, URL, URLSearchParams, crypto },
  ...{ ReadableStream, TransformStream, TextDecoderStream, TextEncoder, TextDecoder, Uint8Array, ArrayBuffer },
  ...{ AbortController, AbortSignal, Event, EventTarget, DOMException, Error, TypeError },
  ...{ setTimeout, clearTimeout, queueMicrotask, atob, btoa },
};

// biome-ignore lint/suspicious/noExplicitAny: what a foreign world exports has no types here
let sdk: any;
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source'] },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: fileURLToPath(new URL('./index.ts', import.meta.url)), formats: ['iife'], name: 'sdk' },
    },
  });
  const [output] = [built].flat() as Rollup.RollupOutput[];
  const code = output?.output.find((part) => part.type === 'chunk')?.code ?? '';
  sdk = runInContext(`${code}\nsdk`, createContext({ ...PLATFORM }));
});

const json = { 'content-type': 'application/json' };

describe('the library in a worker at the edge', () => {
  test('calls an operation, and repeats one with the same Idempotency-Key', async () => {
    const keys: (string | null)[] = [];
    const answer = async (_url: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      if (keys.length === 1) return new Response('{}', { status: 503, headers: { ...json, 'retry-after': '0' } });
      return new Response('{"id":"1"}', { status: 201, headers: json });
    };
    const pr = new sdk.Postrider({ apiKey: 'key', baseUrl: 'https://messages.example', fetch: answer });
    expect(await pr.teams.create({ name: 'Desk' })).toEqual({ id: '1' });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
  });

  test('follows the stream of events', async () => {
    const said = 'id: 7\nevent: team.created\ndata: {"id":"7"}\n\n';
    const answer = async () => new Response(said, { headers: { 'content-type': 'text/event-stream' } });
    const pr = new sdk.Postrider({ apiKey: 'key', baseUrl: 'https://messages.example', fetch: answer });
    for await (const event of pr.events.stream({ after: 'x' })) {
      expect(event).toEqual({ id: '7' });
      break;
    }
    expect.assertions(1);
  });

  test('verifies a webhook', async () => {
    const secret = `whsec_${btoa('a secret of 24 characters')}`;
    const now = new Date();
    const body = '{"id":"evt"}';
    const headers = {
      'webhook-id': 'evt',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt', now, body),
    };
    expect(await sdk.unwrapWebhook(body, headers, secret)).toEqual({ id: 'evt' });
    await expect(sdk.unwrapWebhook(`${body} `, headers, secret)).rejects.toMatchObject({ code: 'invalid_signature' });
  });
});
