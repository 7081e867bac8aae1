import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that reached the receiver. */
export interface ReceivedHook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How to answer; a receiver that never answers leaves the response alone. */
export type HookAnswer = (hook: ReceivedHook, response: ServerResponse) => void;

/** A program of a tenant that takes webhooks, on a free port of the loopback. */
export interface WebhookReceiver {
  readonly url: string;
  /** Everything that came, in order. */
  readonly received: readonly ReceivedHook[];
  /** How it answers from now on. */
  answer: HookAnswer;
  close(): Promise<void>;
}

/** Answers with a status and nothing else. */
export function answering(status: number, headers: Readonly<Record<string, string>> = {}): HookAnswer {
  return (_hook, response) => void response.writeHead(status, headers).end('noted');
}

/** Returns the challenge of whoever asks for one, whatever token they show; everything else is taken. */
export const returningChallenges: HookAnswer = ({ path }, response) => {
  const challenge = new URL(path, 'http://receiver').searchParams.get('hub.challenge');
  response.writeHead(200).end(challenge ?? 'noted');
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedHook[] = [];
  const receiver = { answer: answering(204) };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hook = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(hook);
      receiver.answer(hook, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
