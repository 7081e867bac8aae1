import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Statement } from './database.ts';
import { inTransactionOn } from './pool.ts';

const work: Statement = { name: 'work', text: 'work' };
const head: Statement = { name: 'head', text: 'head' };
const more: Statement = { name: 'more', text: 'more' };

type Answer = { readonly rows: unknown[]; readonly command: string };

/** A connection that keeps what is sent, and answers in order when it is told to. */
class Connection {
  readonly sent: string[] = [];
  readonly #waiting: { answer(answer: Answer): void; fail(error: Error): void }[] = [];

  get client(): pg.PoolClient {
    const query = (asked: string | { readonly text: string }) => {
      this.sent.push(typeof asked === 'string' ? asked : asked.text);
      return new Promise<Answer>((answer, fail) => void this.#waiting.push({ answer, fail }));
    };
    return { query } as unknown as pg.PoolClient;
  }

  async answer(command = ''): Promise<void> {
    this.#waiting.shift()?.answer({ rows: [], command });
    await settled();
  }

  async fail(message: string): Promise<void> {
    this.#waiting.shift()?.fail(new Error(message));
    await settled();
  }
}

/** Everything that could go on without an answer has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('a transaction', () => {
  test('sends begin with its first statement, and what belongs to the commit with the commit, before anything is answered', async () => {
    const connection = new Connection();
    const done = inTransactionOn(connection.client, async (tx) => {
      tx.atCommit({ statement: head, parameters: [] });
      tx.atCommit({ statement: more, parameters: [] });
      await tx.run(work, []);
      return 'made';
    });
    await settled();
    expect(connection.sent).toEqual(['begin', 'work']);
    await connection.answer();
    expect(connection.sent).toEqual(['begin', 'work']);
    await connection.answer();
    expect(connection.sent).toEqual(['begin', 'work', 'head', 'more', 'commit']);
    await connection.answer();
    await connection.answer();
    await connection.answer('COMMIT');
    await expect(done).resolves.toBe('made');
  });

  test('is rolled back, and fails with the reason, when what belongs to the commit fails', async () => {
    const connection = new Connection();
    const done = inTransactionOn(connection.client, async (tx) => tx.atCommit({ statement: head, parameters: [] }));
    const failed = expect(done).rejects.toThrow('no such head');
    await connection.answer();
    await connection.fail('no such head');
    await connection.answer('ROLLBACK');
    await connection.answer('ROLLBACK');
    await failed;
    expect(connection.sent).toEqual(['begin', 'head', 'commit', 'rollback']);
  });

  test('that the database rolled back is not taken for committed, though its work went on after a statement that failed', async () => {
    const connection = new Connection();
    const done = inTransactionOn(connection.client, (tx) => tx.run(work, []).catch(() => undefined));
    const failed = expect(done).rejects.toThrow('rolled back');
    await settled();
    await connection.answer();
    await connection.fail('a mistake');
    await connection.answer('ROLLBACK');
    await connection.answer('ROLLBACK');
    await failed;
  });
});
