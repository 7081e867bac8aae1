import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';

/** A push as a browser would see it, with the headers that its push service saw. */
export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** How the service answers a push. */
export interface PushReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** A push service on this machine. It decrypts nothing: that is for browsers. */
export interface TestPushService {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly received: ReceivedPush[];
  /** Decides how a push is answered; 201 unless a test says otherwise. Null: not at all. */
  reply: (nth: number) => PushReply | null;
  close(): Promise<void>;
}

export async function startPushService(): Promise<TestPushService> {
  const received: ReceivedPush[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const reply = service.reply(received.length);
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      if (reply !== null) response.writeHead(reply.status, reply.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: TestPushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    reply: () => ({ status: 201 }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

/** What a browser has of its subscription. */
export interface TestBrowser {
  /** As `PushSubscription.toJSON()` returns it. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** The pushes that were sent to this browser, decrypted. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly shown: () => any[];
}

let browsers = 0;

export function makeBrowser(service: TestPushService): TestBrowser {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  browsers += 1;
  const path = `/send/${browsers}`;
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') };
  return {
    subscription: { endpoint: `${service.url}${path}`, keys },
    shown: () =>
      service.received
        .filter((push) => push.path === path)
        .map(({ body }) => JSON.parse(decrypt(body, pair, auth).toString('utf8'))),
  };
}

const DELIMITER = 2;

/** Decrypts one record of aes128gcm, written from RFC 8188 and RFC 8291 and from nothing that encrypts here. */
function decrypt(body: Buffer, pair: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(senderKey), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(DELIMITER);
  return padded.subarray(0, end);
}

/** Verifies as a push service does who pushes (RFC 8292). @returns the claims @throws when the signature is another key's */
export async function verifySender({ headers }: ReceivedPush, publicKey: string) {
  const [, token = '', named = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'] });
  return { ...payload, named };
}
