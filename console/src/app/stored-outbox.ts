/** Commands that wait for a line, in the browser's database. */
import type { Outbox } from '../live/source.ts';
import { type KeptCommand, type KeptMessage, type OutboxStorage, TabOutbox } from '../live/tab-outbox.ts';
import { hasTabLocks, tabChannel, tabLocks } from './browser-tabs.ts';

const DATABASE = 'postrider';
const STORE = 'outbox';
/** Older ones are not sent any more: what was an answer then may be wrong now. */
const MAX_AGE_MS = 24 * 3_600_000;

/** @param owner the agent whose commands they are: another one who signs in sends nothing of theirs */
export function storedOutbox(owner: string): Outbox {
  const storage = storageOf(owner);
  if (!hasTabLocks()) return lonelyOutbox(storage);
  const channel = tabChannel<KeptMessage>(`${owner} outbox`);
  return new TabOutbox({ storage, channel, locks: tabLocks(owner) });
}

/** Where tabs cannot agree, each sends what it finds: the keys see to it that it is done once. */
function lonelyOutbox(storage: OutboxStorage): Outbox {
  return {
    keep: (command) => storage.put([{ ...command, tab: '' }]),
    forget: (key) => storage.delete(key),
    onLeft(take) {
      let isOn = true;
      void storage.all().then(
        (kept) => isOn && take(kept),
        () => undefined,
      );
      return () => {
        isOn = false;
      };
    },
  };
}

/** Forgets everything, when somebody signs out. */
export async function clearOutbox(): Promise<void> {
  await run('readwrite', (store) => store.clear());
}

type Kept = KeptCommand & { readonly owner: string };

function storageOf(owner: string): OutboxStorage {
  return {
    async all() {
      const kept = await run<readonly Kept[]>('readonly', (store) => store.getAll());
      const oldest = new Date(Date.now() - MAX_AGE_MS).toISOString();
      return kept
        .filter((one) => one.owner === owner && one.issuedAt > oldest)
        .map(({ owner: _, ...command }) => command);
    },
    async put(commands) {
      await run('readwrite', (store) => {
        let last: IDBRequest = store.count();
        for (const command of commands) last = store.put({ ...command, owner });
        return last;
      });
    },
    async delete(key) {
      await run('readwrite', (store) => store.delete(key));
    },
  };
}

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
