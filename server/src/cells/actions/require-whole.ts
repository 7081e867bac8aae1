import { findRestore } from '#cells/store/restores';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';

/** @throws OperatorError when only some cells of the installation have been restored */
export async function requireWhole(db: Database): Promise<void> {
  const backup = db.kind === 'postgres' ? await findRestore(db) : null;
  if (backup === null) return;
  throw new OperatorError(
    `The restore of the backup ${backup} is not over, and some cells are empty. Give its command again; it goes on where it was.`,
  );
}
