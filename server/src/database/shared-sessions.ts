import { type OpenDatabase, type SqlRunner, StorageUnavailable, statement } from './database.ts';
import { SESSION_LOCK_TIMEOUT } from './postgres.ts';

/** Somebody else prepared this statement on the connection of the server, or we did on another one. */
const STRANGE_STATEMENT: ReadonlySet<unknown> = new Set(['42P05', '26000']);

/**
 * Whether something between us and PostgreSQL gives its connections to one transaction after the other, or takes none of our
 * session settings. Two connections of our own must be two processes of the server, and stay them.
 * @returns null: every connection is a session of its own, or the server does not answer, which whoever works with it will see
 */
export async function findPooler(db: Pick<OpenDatabase, 'session'>): Promise<'transactions' | 'settings' | null> {
  try {
    return await db.session((one) => db.session((other) => compareSessions(one, other)));
  } catch (error) {
    const raw = error instanceof StorageUnavailable ? error.cause : error;
    const { code, message } = raw as { readonly code?: unknown; readonly message?: string };
    if (STRANGE_STATEMENT.has(code)) return 'transactions';
    return message?.includes('unsupported startup parameter') ? 'settings' : null;
  }
}

async function compareSessions(one: SqlRunner, other: SqlRunner): Promise<'transactions' | 'settings' | null> {
  // A pooler hands out the connection that became free last, or the one that is free longest: this order shows both.
  const first = await look(one);
  const second = await look(other);
  const secondAgain = await look(other);
  const firstAgain = await look(one);
  const isOwn = first.pid !== second.pid && first.pid === firstAgain.pid && second.pid === secondAgain.pid;
  if (!isOwn) return 'transactions';
  return first.lockTimeout === SESSION_LOCK_TIMEOUT ? null : 'settings';
}

const LOOK = statement('session_look')`select pg_backend_pid() as pid, current_setting('lock_timeout') as lock_timeout`;

interface Session {
  readonly pid: number;
  readonly lockTimeout: string;
}

async function look(session: SqlRunner): Promise<Session> {
  const { rows } = await session.run<Session>(LOOK, []);
  return rows[0] ?? { pid: 0, lockTimeout: '' };
}
