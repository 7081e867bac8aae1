import type { Database } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import type { PasswordHasher } from './password-hasher.ts';

/** What it takes to let people in, and to change what they sign in with. */
export interface PersonDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** Encrypts the secrets of authenticator apps. */
  readonly keyring: Keyring;
  readonly passwords: PasswordHasher;
}
