import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';

/** An operator command is short, unless it says otherwise; a running server that does not answer within this hangs. */
const ANSWER_WITHIN_MS = 30_000;

export type SocketAnswer =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'done'; readonly result: JsonObject }
  | { readonly kind: 'refused'; readonly sentence: string; readonly exitCode: number };

/**
 * Asks the running server over its operator socket.
 * @param answerWithinMs 0: however long it takes
 * @returns `nobody` when no process listens there (also for a socket that a killed process left)
 */
export function askOperatorSocket(
  path: string,
  command: string,
  input: JsonObject,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<SocketAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: path, method: 'POST', path: `/${command}`, timeout: answerWithinMs },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(readAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'))));
      },
    );
    call.on('timeout', () => call.destroy(new Error('The running server did not answer on its operator socket.')));
    call.on('error', (error: NodeJS.ErrnoException) => {
      const absent = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR', 'EINVAL'].includes(error.code ?? '');
      if (absent) resolve({ kind: 'nobody' });
      else reject(error);
    });
    call.end(JSON.stringify(input));
  });
}

function readAnswer(status: number, text: string): SocketAnswer {
  const body = JSON.parse(text) as JsonValue;
  const fields = isJsonObject(body) ? body : {};
  if (status === 200) return { kind: 'done', result: fields };
  return { kind: 'refused', sentence: String(fields.error), exitCode: Number(fields.exit_code) };
}

/** Tells one DATABASE_URL from another without showing it. Empty for the embedded database. */
export function databaseFingerprint(databaseUrl: string): string {
  return databaseUrl === '' ? '' : createHash('sha256').update(databaseUrl).digest('hex');
}
