import { type Dispatcher, errors, type Pool } from 'undici';

/** An answer, whole. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | string[] | undefined;
}

/** The code of an exchange whose deadline was over after the request may have left. */
export const DEADLINE_OVER = 'DEADLINE_OVER';

class DeadlineOver extends Error {
  override name = 'DeadlineOver';
  readonly code = DEADLINE_OVER;
}

/**
 * One request and its response, without the stream that Pool.request creates for each body. It ends within
 * `deadlineMs`, whatever the other side does; the connection is then closed.
 * @throws the error of undici; ConnectTimeoutError when the deadline is over and nothing has left
 */
export function exchange(pool: Pool, request: Dispatcher.DispatchOptions, deadlineMs: number): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let retryAfter: ExchangeAnswer['retryAfter'];
    let started: Dispatcher.DispatchController | null = null;
    let late: Error | null = null;
    const timer = setTimeout(() => {
      late = started === null ? new errors.ConnectTimeoutError('No connection in time.') : new DeadlineOver();
      started?.abort(late);
      reject(late);
    }, deadlineMs);
    pool.dispatch(request, {
      // Before the first byte is written: what is aborted here never leaves.
      onRequestStart: (controller) => {
        started = controller;
        if (late !== null) controller.abort(late);
      },
      onResponseStart: (_controller, statusCode, headers) => {
        status = statusCode;
        retryAfter = headers['retry-after'];
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => {
        clearTimeout(timer);
        resolve({ status, retryAfter, text: textOf(chunks) });
      },
      onResponseError: (_controller, error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}

/** An answer nearly always comes in one piece. */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}
