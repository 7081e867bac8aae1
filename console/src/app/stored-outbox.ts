/** Commands that wait for a line, in the browser: a page that is closed and opened again sends them, with the same keys. */
import type { Command } from '../live/commands.ts';
import type { Outbox } from '../live/source.ts';

const DATABASE = 'postrider';
const STORE = 'outbox';
/** Older ones are not sent any more: what was an answer then may be wrong now. */
const MAX_AGE_MS = 24 * 3_600_000;

/** @param owner the agent whose commands they are: another one who signs in sends nothing of theirs */
export function storedOutbox(owner: string): Outbox {
  return {
    all: async () => {
      const kept = await run<readonly Kept[]>('readonly', (store) => store.getAll());
      const oldest = new Date(Date.now() - MAX_AGE_MS).toISOString();
      return kept
        .filter((one) => one.owner === owner && one.issuedAt > oldest)
        .map(({ owner: _, ...command }) => command);
    },
    keep: async (command) => void (await run('readwrite', (store) => store.put({ ...command, owner }))),
    forget: async (key) => void (await run('readwrite', (store) => store.delete(key))),
  };
}

/** Forgets everything, when somebody signs out. */
export async function clearOutbox(): Promise<void> {
  await run('readwrite', (store) => store.clear());
}

type Kept = Command & { readonly owner: string };

async function run<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await open();
  try {
    return await answerOf<T>(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  return answerOf<IDBDatabase>(request);
}

function answerOf<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error ?? new Error('The browser stores nothing.'));
  });
}
