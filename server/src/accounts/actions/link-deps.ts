import type { AccountNetwork } from '#accounts/domain/account-network';
import type { Database } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';

/** Dependencies of linking. The network is passed in: an action makes no outside calls. */
export interface LinkDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly accounts: AccountNetwork;
  readonly keyring: Keyring;
  /** Signs states and makes the PINs of numbers; equal in every process of one installation. */
  readonly stateKey: string;
}
