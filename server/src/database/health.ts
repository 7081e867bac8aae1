import type { Database, Statement } from './database.ts';

const HEALTH: Statement = { name: 'health', text: 'select version from schema_migrations limit 1' };
/** On the connections that store what is accepted. */
const HEALTH_INSERTS: Statement = { name: 'health_inserts', text: 'select 1', insertsOnly: true };

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
