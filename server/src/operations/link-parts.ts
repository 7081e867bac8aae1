import type { AccountNetwork } from '#core/account-network';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';

/** What linking works with. The network is handed in: an operation calls nothing outside by itself. */
export interface LinkParts {
  readonly rt: Runtime;
  readonly db: Database;
  readonly accounts: AccountNetwork;
  readonly keyring: Keyring;
  /** Signs states and makes the PINs of numbers; equal in every process of one installation. */
  readonly stateKey: string;
}
