import { ApiProblem } from '#core/errors';
import { type Database, StorageUnavailable, type Transaction } from '#database/database';
import { makeStoreBatch, type Storing } from '#messages/actions/store-accepted';
import type { AcceptRow } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';

interface Within {
  readonly rt: Runtime;
  readonly db: Database;
  readonly tx: Transaction;
}

/**
 * Stores a message in a transaction with more than the message. From here on others wait for it: whatever may wait itself
 * comes before.
 */
export async function storeWithin({ rt, db, tx }: Within, row: AcceptRow): Promise<Storing> {
  const [stored = 'replay'] = await makeStoreBatch(rt, joined(db, tx))([row]);
  return stored;
}

/**
 * The same where something stands already that is nothing without the message.
 * @throws ApiProblem insufficient_balance, StorageUnavailable
 */
export async function requireStored(within: Within, row: AcceptRow): Promise<void> {
  const stored = await storeWithin(within, row);
  if (stored === 'unaffordable') throw new ApiProblem('insufficient_balance');
  if (stored !== 'stored') throw new StorageUnavailable('It is not known whether the message was stored.');
}

/** The same database, with transactions that are part of the one that is open. */
function joined(db: Database, tx: Transaction): Database {
  const run: Database['run'] = (statement, parameters) => tx.run(statement, parameters);
  return { ...db, run, transaction: (work) => work(tx), close: () => Promise.resolve() };
}
