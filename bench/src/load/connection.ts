import { Client, type Dispatcher } from 'undici';

/** A prepared request. */
export interface Prepared {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** Of a numbered request. */
  readonly recipient?: number;
}

const FIRST_REFUSAL = 400;

/** One keep-alive connection with one request at a time, as an ordinary caller has it. */
export class Connection {
  readonly #client: Client;

  constructor(origin: string) {
    this.#client = new Client(origin, { pipelining: 1, keepAliveTimeout: 60_000 });
  }

  /**
   * Calls `done` with the status code, or with 0 when there was no answer; `said` is the body of a refusal, or why there was no
   * answer. The body of a success is read and dropped.
   */
  ask({ method, path, headers, body }: Prepared, done: (status: number, said: string) => void): void {
    let status = 0;
    let said = '';
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: (_controller, chunk) => {
        if (status >= FIRST_REFUSAL) said += chunk.toString();
      },
      onResponseEnd: () => done(status, said),
      // Not at once: undici ends the process when a request is made while it still reports that a connection failed.
      onResponseError: (_controller, error) => setImmediate(done, 0, error.message),
    };
    this.#client.dispatch({ method, path, headers: headers as Record<string, string>, body }, handler);
  }

  close(): Promise<void> {
    return this.#client.destroy();
  }
}

/** @returns null for a request that was answered with 202, or else a sentence that says how it was */
export function refusalOf(connection: Connection, prepared: Prepared): Promise<string | null> {
  return new Promise((resolve) => {
    connection.ask(prepared, (status, said) =>
      resolve(status === 202 ? null : `${prepared.path} was answered with ${status} instead of 202: ${said}`),
    );
  });
}
