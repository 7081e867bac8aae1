import { type Dispatcher, request as send } from 'undici';

/** A request that can be repeated: by us, or by hand. */
export interface FuzzRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
  /**
   * The connection broke in the middle of the body: a streamed list ends so when its database fails, so that it does
   * not look complete.
   */
  readonly cutOff: boolean;
}

/** Long enough for a form whose file is passed on to the network. */
const TIMEOUT_MS = 60_000;

/** @throws Error with the request in it when the connection broke before an answer, or none came */
export async function sendRequest(base: string, request: FuzzRequest): Promise<FuzzAnswer> {
  const { path, headers, body } = request;
  const method = request.method as Dispatcher.HttpMethod;
  const answer = await send(base + path, { method, headers: { ...headers }, body, headersTimeout: TIMEOUT_MS }).catch(
    (cause: Error) => {
      throw new Error(`${cause.message}: ${toCurl(base, request)}`, { cause });
    },
  );
  const { text, cutOff } = await readWhole(answer.body);
  const flat = Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()]);
  return { status: answer.statusCode, headers: Object.fromEntries(flat), text, json: parsed(text), cutOff };
}

async function readWhole(body: AsyncIterable<Buffer>): Promise<{ readonly text: string; readonly cutOff: boolean }> {
  const chunks: Buffer[] = [];
  let cutOff = false;
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch {
    cutOff = true;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), cutOff };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A line for the shell that sends the same bytes. */
export function toCurl(base: string, { method, path, headers, body }: FuzzRequest): string {
  const shown = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const line = ['curl -i --path-as-is', `-X ${method}`, quoted(base + path), ...shown];
  if (body === null) return line.join(' ');
  const text = body.toString('utf8');
  const isPlain = Buffer.from(text).equals(body) && !/[^\x20-\x7e]/.test(text);
  if (isPlain) return [...line, `--data-binary ${quoted(text)}`].join(' ');
  return `echo ${body.toString('base64')} | base64 -d | ${line.join(' ')} --data-binary @-`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
