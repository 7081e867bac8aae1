import type { ServerResponse } from 'node:http';

/** What a control endpoint gives back; a body that is text is sent as it is. */
export type ControlAnswer = {
  readonly status: number;
  readonly body: unknown;
  readonly contentType?: string;
};

export type ControlCall = {
  readonly method: string;
  readonly url: string;
  readonly text: string;
};

/** 200 with JSON. */
export function ok(body: unknown): ControlAnswer {
  return { status: 200, body };
}

/** 400 with one sentence that says what to change. */
export function badRequest(sentence: string): ControlAnswer {
  return { status: 400, body: { error: sentence } };
}

export function answerControl(response: ServerResponse, answer: ControlAnswer): void {
  const raw = typeof answer.body === 'string' || Buffer.isBuffer(answer.body);
  const body = raw ? (answer.body as string | Buffer) : JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'Content-Type': answer.contentType ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
