/** Business numbers as nodes, and their registration. */
import { requestedNameOf, requestName } from '../business/names.ts';
import { type GraphCall, paramsOf, refuseWith, requireStep, selectFields } from '../graph/call.ts';
import { pageOf } from '../graph/paging.ts';
import type { JsonObject } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { requireAccount, requireNumber } from './require-account.ts';

const DEFAULT_FIELDS =
  'verified_name,code_verification_status,display_phone_number,quality_rating,platform_type,throughput,id';
const PIN = /^\d{6}$/;
const MAX_REGISTRATIONS = 10;
const REGISTRATION_WINDOW_MS = 72 * 3600 * 1000;

/** `GET /{version}/{phone_number_id}` */
export function getNumber(sim: Simulation, call: GraphCall): JsonObject {
  const number = requireNumber(sim, call);
  requireStep(sim, 'number');
  return selectFields(numberNode(sim, number), paramsOf(call).fields ?? DEFAULT_FIELDS);
}

/** `GET /{version}/{waba_id}/phone_numbers` */
export function listNumbers(sim: Simulation, call: GraphCall): JsonObject {
  const wabaId = requireAccount(sim, call);
  requireStep(sim, 'phone_numbers');
  const params = paramsOf(call);
  const own = sim.numbers.list().filter((number) => number.wabaId === wabaId);
  const nodes = own.map((number) => ({ ...numberNode(sim, number), id: number.phoneNumberId }));
  const { items, paging } = pageOf(call, nodes, params);
  return { data: items.map((node) => selectFields(node, params.fields ?? DEFAULT_FIELDS)), paging };
}

/** `POST /{version}/{phone_number_id}/register {messaging_product, pin}`: the number can send from now on. */
export function registerNumber(sim: Simulation, call: GraphCall): JsonObject {
  const number = requireNumber(sim, call);
  requireStep(sim, 'register');
  const { messaging_product: product, pin } = paramsOf(call);
  if (product !== 'whatsapp') refuseWith(100, "Param messaging_product is required and must be 'whatsapp'.");
  if (typeof pin !== 'string' || !PIN.test(pin)) return refuseWith(100, 'Param pin must be a string of 6 digits.');
  const registration = sim.accounts.registrationOf(number.phoneNumberId);
  const nowMs = sim.clock.now();
  const recent = registration.triesMs.filter((atMs) => nowMs - atMs < REGISTRATION_WINDOW_MS);
  if (recent.length >= MAX_REGISTRATIONS)
    refuseWith(133016, 'The number was registered too often in the last 72 hours.');
  registration.triesMs.push(nowMs);
  if (registration.pin !== null && registration.pin !== pin) refuseWith(133005, 'The two-step PIN is wrong.');
  registration.pin = pin;
  number.registered = true;
  return { success: true };
}

/** `POST /{version}/{phone_number_id}/deregister` */
export function deregisterNumber(sim: Simulation, call: GraphCall): JsonObject {
  requireNumber(sim, call).registered = false;
  return { success: true };
}

/** `POST /{version}/{phone_number_id} {pin}`: sets the two-step PIN; with `new_display_name`, asks for another display name. Other settings are taken and not kept. */
export function changeNumber(sim: Simulation, call: GraphCall): JsonObject {
  const number = requireNumber(sim, call);
  requireStep(sim, 'number_change');
  const { pin, new_display_name: name } = paramsOf(call);
  if (name !== undefined) requestName(sim, number.phoneNumberId, name);
  if (pin === undefined) return { success: true };
  if (typeof pin !== 'string' || !PIN.test(pin)) return refuseWith(100, 'Param pin must be a string of 6 digits.');
  sim.accounts.registrationOf(number.phoneNumberId).pin = pin;
  return { success: true };
}

function numberNode(sim: Simulation, number: BusinessNumber): JsonObject {
  const details = sim.accounts.detailsOf(number.phoneNumberId);
  const digits = number.displayPhoneNumber;
  return {
    id: number.phoneNumberId,
    // Written for people here, in digits alone in callbacks.
    display_phone_number:
      digits.length === 11 ? digits.replace(/^(\d)(\d{3})(\d{3})(\d{4})$/, '+$1 $2-$3-$4') : `+${digits}`,
    verified_name: details.verifiedName,
    quality_rating: details.qualityRating,
    code_verification_status: 'VERIFIED',
    platform_type: number.registered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    throughput: { level: number.registered ? 'STANDARD' : 'NOT_APPLICABLE' },
    status: details.status ?? (number.registered ? 'CONNECTED' : 'PENDING'),
    account_mode: 'LIVE',
    name_status: 'APPROVED',
    ...requestedNameOf(sim, number.phoneNumberId),
    conversational_automation: { ...sim.business.of(number.phoneNumberId).automation },
    is_pin_enabled: sim.accounts.registrationOf(number.phoneNumberId).pin !== null,
    whatsapp_business_manager_messaging_limit: details.messagingLimit,
  };
}
