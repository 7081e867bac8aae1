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

/** One keep-alive connection with one request at a time, as an ordinary caller has it. */
export class Connection {
  readonly #client: Client;

  constructor(origin: string) {
    this.#client = new Client(origin, { pipelining: 1, keepAliveTimeout: 60_000 });
  }

  /** Calls `done` with the status code, or with 0 when there was no answer. The body is read and dropped. */
  ask({ method, path, headers, body }: Prepared, done: (status: number) => void): void {
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: () => undefined,
      onResponseEnd: () => done(status),
      onResponseError: () => done(0),
    };
    this.#client.dispatch({ method, path, headers: headers as Record<string, string>, body }, handler);
  }

  close(): Promise<void> {
    return this.#client.destroy();
  }
}
