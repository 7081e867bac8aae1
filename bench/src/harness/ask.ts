import { API_KEY } from './server.ts';

export interface Question {
  /** Address of the server. */
  readonly origin: string;
  /** Absent: of the first tenant. */
  readonly key?: string | undefined;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Besides the key and the type of the body. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request beside what is measured. @returns the answer's JSON, an empty object when there is none @throws Error unless it is a 2xx */
export async function ask({
  origin,
  key = API_KEY,
  method,
  path,
  body,
  ...rest
}: Question): Promise<Record<string, unknown>> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${key}`, ...type, ...rest.headers };
  const answer = await fetch(origin + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}
