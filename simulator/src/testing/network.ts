/** A simulator and a receiver of its callbacks on loopback, for tests. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureOf } from '../callbacks/sign.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../simulator.ts';

export const NUMBER_ID = '700800900';
export const CUSTOMER = '15550002222';
const SECRET = 'test-app-secret';
const HOUR_MS = 3_600_000;

export type Answer = { readonly status: number; readonly body: JsonObject; readonly headers: Headers };

/** One POST that the receiver got. */
export type Received = { readonly text: string; readonly signature: string; readonly value: JsonObject };

/** Records callbacks and answers them as a test wants. */
export class Receiver {
  readonly posts: Received[] = [];
  /** Attempts that broke off before the body was complete. */
  broken = 0;
  /** Statuses of the next answers, 0 for none at all; when it is empty, 200. */
  readonly answers: number[] = [];
  /** Requests that wait for `answerHeld`, while `holds` is set. */
  readonly held: (() => void)[] = [];
  holds = false;
  /** Answers the verification handshake; the default returns the challenge for the right token. */
  verifyToken = 'test-verify-token';
  readonly #server: Server;
  #waiters: (() => void)[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('error', () => {
        this.broken++;
        this.#wake();
      });
      request.on('end', () => {
        if (request.method === 'GET') this.#verify(request.url ?? '', response);
        else this.#record(text, String(request.headers['x-hub-signature-256']), response);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks/meta`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** Every status received so far, in order of arrival. */
  get statuses(): readonly JsonObject[] {
    return this.posts.flatMap((post) => objects(post.value.statuses));
  }

  get messages(): readonly JsonObject[] {
    return this.posts.flatMap((post) => objects(post.value.messages));
  }

  /** Names of the statuses of one message, in order of arrival. */
  namesOf(id: unknown): readonly unknown[] {
    return this.statuses.filter((status) => status.id === id).map((status) => status.status);
  }

  /** Resolves when `holds` is true; it is asked again after each request. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  #record(text: string, signature: string, response: ServerResponse): void {
    const status = this.answers.shift() ?? 200;
    if (status === 200) this.posts.push({ text, signature, value: changeValue(text) });
    if (status === 0) return;
    response.statusCode = status;
    const answer = (): void => void response.end('ok', () => this.#wake());
    if (this.holds) {
      this.held.push(answer);
      this.#wake();
    } else answer();
  }

  /** Answers the oldest request that is held. */
  answerHeld(): void {
    this.held.shift()?.();
  }

  #verify(url: string, response: ServerResponse): void {
    const query = new URL(url, 'http://receiver').searchParams;
    const right = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === this.verifyToken;
    response.statusCode = right ? 200 : 403;
    response.end(right ? query.get('hub.challenge') : 'no');
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

/** A running simulator with its receiver and the calls that tests make. */
export class TestNetwork {
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly callbackUrl: string;

  constructor(simulator: Simulator, receiver: Receiver, callbackUrl: string) {
    this.simulator = simulator;
    this.receiver = receiver;
    this.callbackUrl = callbackUrl;
  }

  /** Sends a text unless `body` says otherwise; undefined members are left out. */
  send(body: JsonObject = {}, path = `/v26.0/${NUMBER_ID}/messages`, token: string | null = 'token'): Promise<Answer> {
    const message = { messaging_product: 'whatsapp', to: CUSTOMER, type: 'text', text: { body: 'Hello' }, ...body };
    return this.post(path, message, token === null ? {} : { authorization: `Bearer ${token}` });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.call('PUT', path, body, {});
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path, undefined, {});
  }

  async call(method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(this.simulator.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const parsed: unknown = await response.json();
    return { status: response.status, body: isJsonObject(parsed) ? parsed : {}, headers: response.headers };
  }

  /** Uploads a file and answers as the network does. `fields` replaces or, by undefined, leaves out form fields. */
  async upload(
    bytes: Buffer,
    type: string,
    fields: Readonly<Record<string, string | undefined>> = {},
    query = '',
  ): Promise<Answer> {
    const form = new FormData();
    const { number = NUMBER_ID, ...rest } = fields;
    for (const [name, value] of Object.entries({ messaging_product: 'whatsapp', type, ...rest })) {
      if (value !== undefined) form.set(name, value);
    }
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'a "file"');
    const response = await fetch(`${this.simulator.url}/v26.0/${number}/media${query}`, {
      method: 'POST',
      headers: { authorization: 'Bearer token' },
      body: form,
    });
    const body: unknown = await response.json();
    return { status: response.status, body: isJsonObject(body) ? body : {}, headers: response.headers };
  }

  /** A call of the network's own paths, with a token. */
  graph(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, path, body, { authorization: 'Bearer token' });
  }

  /** Everything the ledger holds, oldest first. */
  async ledger(): Promise<readonly JsonObject[]> {
    return objects((await this.get('/_sim/messages?limit=10000')).body.data);
  }

  /** Moves the clock until no callback is pending: what has not arrived then never will. */
  async quiet(): Promise<void> {
    for (;;) {
      await this.post('/_sim/clock', { advance_ms: HOUR_MS });
      if ((await this.get('/_sim/stats')).body.callbacks_pending === 0) return;
    }
  }

  /** Whether the signature of a received post fits its bytes. */
  signed(post: Received): boolean {
    return post.signature === signatureOf(SECRET, post.text);
  }

  async close(): Promise<void> {
    await this.simulator.close();
    await this.receiver.close();
  }
}

/** Starts both. Statuses come immediately, in order, and no limit is in force unless `options` says otherwise. */
export async function startTestNetwork(options: SimulatorOptions = {}): Promise<TestNetwork> {
  const receiver = new Receiver();
  const callbackUrl = await receiver.start();
  const simulator = await startSimulator({
    callbackUrl,
    appSecret: SECRET,
    verifyToken: 'test-verify-token',
    numberRate: 0,
    pairLimit: false,
    sentMs: 0,
    deliveredMs: 10,
    readMs: 20,
    // Over several, one callback may overtake another.
    callbackConnections: 1,
    ...options,
  });
  return new TestNetwork(simulator, receiver, callbackUrl);
}

/** The wamid of a send's answer. */
export function wamidOf(answer: Answer): string {
  return String(objects(answer.body.messages)[0]?.id);
}

/** The network code of an error answer. */
export function codeOf(answer: Answer): unknown {
  return isJsonObject(answer.body.error) ? answer.body.error.code : undefined;
}

export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function changeValue(text: string): JsonObject {
  const body: unknown = JSON.parse(text);
  const entry = objects(isJsonObject(body) ? body.entry : [])[0];
  const value = objects(entry?.changes)[0]?.value;
  return isJsonObject(value) ? value : {};
}
