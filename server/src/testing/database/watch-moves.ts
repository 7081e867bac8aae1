import type { Database } from '#database/database';

/**
 * Lets the database note each change of a status, whatever statement makes it.
 * @returns tells the changes that were seen until then, as `from > to`, each once, in the order of the alphabet
 */
export async function watchMoves(
  db: Database,
  table: string,
  column: 'status' | 'state' = 'status',
): Promise<() => Promise<readonly string[]>> {
  const statements = [
    `create table test_moves_of_${table} (move text primary key)`,
    `create function test_note_move_of_${table}() returns trigger language plpgsql as $$
      begin
        insert into test_moves_of_${table} values (old.${column} || ' > ' || new.${column}) on conflict do nothing;
        return null;
      end $$`,
    `create trigger test_moves after update on ${table} for each row when (old.${column} is distinct from new.${column})
      execute function test_note_move_of_${table}()`,
  ];
  for (const [at, text] of statements.entries()) await db.run({ name: `test_watch_${table}_${at}`, text }, []);
  const read = { name: `test_moves_of_${table}`, text: `select move from test_moves_of_${table}` };
  return async () => (await db.run<{ readonly move: string }>(read, [])).rows.map(({ move }) => move).toSorted();
}
