import { type Database, statement } from './database.ts';

/** Of a table that stands where the messages of tenants stand: on Citus another node than the one that answers. */
const HEALTH = statement('health')`select tenant_id from tenants limit 1`;
/** On the connections that store what is accepted. */
const HEALTH_INSERTS = statement('health_inserts', { insertsOnly: true })`select 1`;

export type Health = { readonly ok: true } | { readonly ok: false; readonly cause: unknown };

/** Whether the database answers on both kinds of connections; the cause is for operators, not for tenants. */
export async function checkHealth(db: Database): Promise<Health> {
  try {
    await Promise.all([db.run(HEALTH, []), db.run(HEALTH_INSERTS, [])]);
    return { ok: true };
  } catch (cause) {
    return { ok: false, cause };
  }
}
