import type { Database } from './database.ts';

/** Whether the database answers; the reason is for operators, not for tenants. */
export async function checkHealth(db: Database): Promise<{ ok: boolean; reason?: string }> {
  try {
    await db.run({ name: 'health', text: 'select version from schema_migrations limit 1' }, []);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}
