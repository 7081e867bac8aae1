import { type SqlRunner, statement } from '#database/database';

/** A process of the API that others watch: gone or frozen when `beat` stands still. */
export interface ApiProcess {
  readonly processId: string;
  readonly beat: number;
}

const API_PROCESS_BEAT = statement('api_process_beat')`
insert into api_processes (process_id, beat) values ($1, $2)
on conflict (process_id) do update set beat = excluded.beat`;
const API_PROCESS_LIST = statement('api_process_list')`select process_id, beat from api_processes`;

/** Says "I am alive", and who else says so. */
export async function beatApiProcess(db: SqlRunner, own: ApiProcess): Promise<readonly ApiProcess[]> {
  await db.run(API_PROCESS_BEAT, [own.processId, own.beat]);
  return (await db.run<ApiProcess>(API_PROCESS_LIST, [])).rows;
}

const API_PROCESS_REMOVE = statement('api_process_remove')`
delete from api_processes where process_id = $1 and ($2::bigint is null or beat = $2)`;

/** Forgets a process: itself at its end (`beat` null), or one that is gone and whose beat still is the one that was seen. */
export async function removeApiProcess(db: SqlRunner, processId: string, beat: number | null): Promise<void> {
  await db.run(API_PROCESS_REMOVE, [processId, beat]);
}
