/** `/{version}/{phone_number_id}/username`, and how a number asks for another display name. */
import { requireNumber } from '../accounts/require-account.ts';
import { type GraphCall, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { enteredOf } from './business-registry.ts';

const USERNAME = /^(?=.*[a-z])[a-z0-9_](?:\.?[a-z0-9_])*$/i;
const RESERVED = /^www|\.(?:com|org|net|edu|gov|mil|us|in|html)$/i;
const MIN_USERNAME = 3;
const MAX_USERNAME = 35;
const MAX_NAME = 512;
const TRANSFERS = ['none', 'force_transfer'];

/** Without a username, the member is left out. */
export function getUsername(sim: Simulation, call: GraphCall): JsonObject {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'username');
  const { username } = sim.business.of(phoneNumberId);
  return username === '' ? {} : { username, status: 'approved' };
}

/** Takes a username, from another number only with `transfer_action`. */
export function setUsername(sim: Simulation, call: GraphCall): JsonObject {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'username');
  const { username, transfer_action: transfer = 'none' } = paramsOf(call);
  const isFit = typeof username === 'string' && username.length >= MIN_USERNAME && username.length <= MAX_USERNAME;
  if (!isFit || !USERNAME.test(username) || RESERVED.test(username))
    return refuseWith(100, 'Param username does not follow the rules for usernames.');
  if (!TRANSFERS.includes(String(transfer)))
    refuseWith(100, `Param transfer_action must be one of {${TRANSFERS.join(', ')}}.`);
  const owner = sim.business.ownerOf(username);
  if (owner !== null && owner !== phoneNumberId) {
    if (transfer === 'none') refuseWith(147005, 'Another number of this business has this username.');
    sim.business.of(owner).username = '';
  }
  sim.business.of(phoneNumberId).username = username;
  return { status: 'approved' };
}

export function deleteUsername(sim: Simulation, call: GraphCall): JsonObject {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'username');
  sim.business.of(phoneNumberId).username = '';
  return { success: true };
}

/** Notes the display name that a number asks for. It is reviewed when the control plane gives the number a name. */
export function requestName(sim: Simulation, phoneNumberId: string, name: unknown): void {
  if (typeof name !== 'string' || name.trim() === '' || [...name].length > MAX_NAME)
    refuseWith(100, `Param new_display_name must be a text of at most ${MAX_NAME} characters.`);
  else sim.business.of(phoneNumberId).requestedName = name;
}

/** What the node of a number says of it. */
export function requestedNameOf(sim: Simulation, phoneNumberId: string): JsonObject {
  const { requestedName } = sim.business.of(phoneNumberId);
  const isShown = sim.accounts.detailsOf(phoneNumberId).verifiedName === requestedName;
  const status = isShown ? 'APPROVED' : 'PENDING_REVIEW';
  return enteredOf({ new_display_name: requestedName, new_name_status: requestedName === '' ? 'NONE' : status });
}
