import type { SqlRunner } from '#database/database';

const WAITING = {
  name: 'test_waiting',
  text: "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
};

/** Until so many statements of the database wait for a lock, or the work is done without waiting. */
export async function untilWaiting(db: SqlRunner, count: number, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone && (await db.run(WAITING, [])).rowCount < count);
}
