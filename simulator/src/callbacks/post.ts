import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { signatureOf } from './sign.ts';

export type PostOptions = {
  readonly url: string;
  readonly body: string;
  readonly appSecret: string;
  readonly timeoutMs: number;
  /** Break the connection in the middle of the body. */
  readonly cut: boolean;
};

/** Posts signed callbacks over connections that stay open; each post under way has one. */
export class CallbackClient {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });
  readonly #underWay = new Set<ClientRequest>();

  /** The HTTP status, or 0 when no answer came in time or the connection failed. Never rejects. */
  post(options: PostOptions): Promise<number> {
    return new Promise((resolve) => {
      const request = this.#open(options.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': options.body.length,
          'X-Hub-Signature-256': signatureOf(options.appSecret, options.body),
          'User-Agent': 'facebookexternalua',
        },
      });
      this.#underWay.add(request);
      request.once('close', () => this.#underWay.delete(request));
      settleOn(request, options.timeoutMs, resolve);
      if (options.cut) cutShort(request, options.body);
      else request.end(options.body, 'latin1');
    });
  }

  /** Runs the verification handshake; true when the receiver returns the challenge with status 200. */
  verify(url: string, verifyToken: string, challenge: string, timeoutMs: number): Promise<boolean> {
    const target = new URL(url);
    target.searchParams.set('hub.mode', 'subscribe');
    target.searchParams.set('hub.challenge', challenge);
    target.searchParams.set('hub.verify_token', verifyToken);
    return new Promise((resolve) => {
      const request = this.#open(target.href, { method: 'GET', headers: {} });
      request.setTimeout(timeoutMs, () => request.destroy());
      request.on('error', () => resolve(false));
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk.slice(0, 1024);
        });
        response.on('end', () => resolve(response.statusCode === 200 && text === challenge));
        response.on('error', () => resolve(false));
      });
      request.end();
    });
  }

  /** Breaks off every post under way; each counts as failed. */
  abort(): void {
    for (const request of this.#underWay) request.destroy();
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #open(url: string, options: RequestOptions): ClientRequest {
    return url.startsWith('https:')
      ? httpsRequest(url, { ...options, agent: this.#https })
      : httpRequest(url, { ...options, agent: this.#http });
  }
}

function settleOn(request: ClientRequest, timeoutMs: number, settle: (status: number) => void): void {
  // One deadline for the whole exchange: a receiver that drips bytes is silent too.
  const deadline = setTimeout(() => request.destroy(new Error('callback timed out')), timeoutMs);
  const done = (status: number): void => {
    clearTimeout(deadline);
    settle(status);
  };
  request.on('error', () => done(0));
  request.on('close', () => done(0));
  request.on('response', (response: IncomingMessage) => {
    response.on('error', () => done(0));
    response.on('end', () => done(response.statusCode ?? 0));
    response.resume();
  });
}

function cutShort(request: ClientRequest, body: string): void {
  request.write(body.slice(0, body.length >> 1), 'latin1', () => request.destroy());
}
