import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Statement } from './database.ts';
import { inTransactionOn, runOn } from './pool.ts';

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

/** What of a query of pg hears from the server. */
interface Hearing {
  handleRowDescription(message: object): void;
  handleDataRow(message: object): void;
  handleCommandComplete(message: object): void;
  handleReadyForQuery(): void;
}

const TEXT_OID = 25;

test('a statement names its columns as they are at each run: a migration may change those of a table meanwhile', async () => {
  const answers = [
    { columns: ['team_id', 'hours_id', 'name'], row: ['t', 'h', 'Sales'] },
    { columns: ['team_id', 'name', 'time_zone'], row: ['t', 'Sales', 'UTC'] },
  ];
  const query = (hearing: Hearing) => {
    const { columns = [], row = [] } = answers.shift() ?? {};
    hearing.handleRowDescription({ fields: columns.map((name) => ({ name, dataTypeID: TEXT_OID, format: 'text' })) });
    hearing.handleDataRow({ fields: row });
    hearing.handleCommandComplete({ text: 'SELECT 1' });
    hearing.handleReadyForQuery();
  };
  const client = { query } as unknown as pg.Client;
  const all: Statement = { name: 'all', text: 'select * from teams', camelCase: true };
  expect((await runOn(client, all, [])).rows).toEqual([{ teamId: 't', hoursId: 'h', name: 'Sales' }]);
  expect((await runOn(client, all, [])).rows).toEqual([{ teamId: 't', name: 'Sales', timeZone: 'UTC' }]);
});
