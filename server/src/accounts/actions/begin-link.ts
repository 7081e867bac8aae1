import { dialogAddress } from '#accounts/domain/link-dialog';
import { makeLinkState } from '#accounts/domain/link-state';
import { insertLinkState, type LinkStateRow } from '#accounts/store/link-states';
import { ApiProblem } from '#core/errors';
import type { LinkStateId } from '#core/ids';
import type { LinkDeps } from './link-deps.ts';

/** "signed, single-use state (10 min)". */
export const STATE_LIFETIME_MS = 10 * 60_000;
/** Used and expired states are kept a day, to explain what happened; then they only take room. */
const KEEP_STATES_MS = 24 * 60 * 60_000;

export interface BegunLink {
  /** Where the person has to go. */
  readonly url: string;
  readonly state: string;
  readonly expiresMs: number;
}

/**
 * Makes the address of a dialog for this tenant.
 * @throws ApiProblem linking_unavailable when a token could not be kept
 */
export async function beginLink(
  { rt, db, keyring, stateKey }: LinkDeps,
  wish: Pick<LinkStateRow, 'tenantId' | 'keyId' | 'agentId' | 'redirectUri'>,
): Promise<BegunLink> {
  if (keyring.current() === null) throw new ApiProblem('linking_unavailable');
  const { tenantId, redirectUri } = wish;
  const createdMs = rt.clock.now();
  const expiresMs = createdMs + STATE_LIFETIME_MS;
  const stateId = rt.newId<LinkStateId>();
  const row = { ...wish, stateId, createdMs, expiresMs };
  await db.transaction((tx) => insertLinkState(tx, row, createdMs - KEEP_STATES_MS));
  const state = makeLinkState(stateKey, { tenantId, stateId, expiresMs });
  return { url: dialogAddress(rt.config, { redirectUri, state }), state, expiresMs };
}
