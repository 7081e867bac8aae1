import type { Locker } from '@tus/server';

declare module '#http/deps' {
  interface HttpDeps {
    /** Keeps requests of one upload apart, within this process. */
    readonly uploadLocks: Locker;
  }
}
