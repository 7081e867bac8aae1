/** `/{version}/{phone_number_id}/block_users`: customers who can neither write to a number nor call it. */
import { requireNumber } from '../accounts/require-account.ts';
import { type GraphCall, jsonParam, paramsOf, Refusal, refuseWith, requireStep } from '../graph/call.ts';
import { networkError } from '../graph/errors.ts';
import { pageOf } from '../graph/paging.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import { isUserId, normalisePhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';

const MAX_USERS = 1_000;
const MAX_BLOCKED = 64_000;

/** A user of a request, and what became of it. */
type Outcome = { readonly input: string; readonly name: string | null; readonly code: number | null };

/** Blocks customers who wrote within 24 hours. Each user has an outcome; if some are refused, the others are blocked nevertheless. */
export function blockUsers(sim: Simulation, call: GraphCall): JsonObject {
  const { number, users } = readCall(sim, call);
  const { blocked } = sim.business.of(number.phoneNumberId);
  const outcomes = users.map((input): Outcome => {
    const name = nameOf(input);
    const code = name === null ? 131009 : refusalOf(sim, number, name);
    if (name !== null && code === null && !blocked.includes(name)) blocked.unshift(name);
    return { input, name, code };
  });
  return answerOf('added_users', outcomes);
}

/** A user who is not blocked counts as unblocked. */
export function unblockUsers(sim: Simulation, call: GraphCall): JsonObject {
  const { number, users } = readCall(sim, call);
  const outcomes = users.map((input): Outcome => {
    const name = nameOf(input);
    if (name !== null) sim.business.unblock(number.phoneNumberId, name);
    return { input, name, code: name === null ? 131009 : null };
  });
  return answerOf('removed_users', outcomes);
}

/** Newest first. */
export function listBlockedUsers(sim: Simulation, call: GraphCall): JsonObject {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'block_users');
  const users = sim.business.of(phoneNumberId).blocked.map((id) => ({ id }));
  const { items, paging } = pageOf(call, users, paramsOf(call));
  return { data: items.map(({ id }) => ({ messaging_product: 'whatsapp', wa_id: id })), paging };
}

function readCall(
  sim: Simulation,
  call: GraphCall,
): { readonly number: BusinessNumber; readonly users: readonly string[] } {
  const number = requireNumber(sim, call);
  requireStep(sim, 'block_users');
  const params = paramsOf(call);
  if (params.messaging_product !== 'whatsapp') refuseWith(100, 'Param messaging_product must be whatsapp.');
  const given = jsonParam(params, 'block_users');
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_USERS)
    return refuseWith(100, `Param block_users must be an array of 1 to ${MAX_USERS} users.`);
  const users = given.map((one: unknown) => (isJsonObject(one) ? one.user : undefined));
  if (!users.every((user) => typeof user === 'string'))
    return refuseWith(100, 'Param block_users must be an array of objects with a user.');
  return { number, users };
}

function nameOf(input: string): string | null {
  return isUserId(input) ? input : normalisePhone(input);
}

function refusalOf(sim: Simulation, number: BusinessNumber, name: string): number | null {
  const { blocked } = sim.business.of(number.phoneNumberId);
  if (blocked.includes(name)) return null;
  if (name === number.displayPhoneNumber) return 131021;
  if (blocked.length >= MAX_BLOCKED) return 139101;
  return sim.customers.windowOpen(number.phoneNumberId, name, sim.clock.now()) ? null : 131047;
}

/** @throws Refusal 139100 with the same lists, when some were refused */
function answerOf(done: 'added_users' | 'removed_users', outcomes: readonly Outcome[]): JsonObject {
  const shown = ({ input, name }: Outcome) => ({ input, ...(name === null ? {} : { wa_id: name }) });
  const fine = outcomes.filter(({ code }) => code === null).map(shown);
  const failed = outcomes.flatMap((one) =>
    one.code === null ? [] : [{ ...shown(one), errors: [userError(one.code)] }],
  );
  const lists = { [done]: fine, ...(failed.length === 0 ? {} : { failed_users: failed }) };
  const answer = { messaging_product: 'whatsapp', block_users: lists };
  if (failed.length > 0) throw new Refusal({ ...networkError(139100), beside: answer });
  return answer;
}

function userError(code: number): JsonObject {
  const { details } = networkError(code);
  return { code, message: `(#${code}) ${details}`, error_data: { details } };
}
