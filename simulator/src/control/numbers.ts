import type { NumberDetails } from '../accounts/account-registry.ts';
import { isNumericId } from '../graph/graph-path.ts';
import type { JsonObject } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalBoolean, optionalString, readObject, refuseUnknown } from './fields.ts';

const FIELDS = [
  'phone_number_id',
  'display_phone_number',
  'waba_id',
  'strict_numbers',
  'registered',
  'verified_name',
  'quality_rating',
  'messaging_limit',
  'status',
];

/** `GET /_sim/numbers` */
export function getNumbers(sim: Simulation): ControlAnswer {
  return ok({ data: sim.numbers.list().map(presentNumber), strict_numbers: sim.settings.strictNumbers });
}

/** `POST /_sim/numbers`: registers a business number; `strict_numbers` decides whether unregistered ids exist. */
export function postNumbers(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, FIELDS);
  const strictNumbers = optionalBoolean(body, 'strict_numbers');
  const number = sim.numbers.register({ phoneNumberId: phoneNumberIdOf(body), ...numberDetails(body) });
  number.registered = optionalBoolean(body, 'registered') ?? true;
  sim.accounts.describe(number.phoneNumberId, readDetails(body));
  if (strictNumbers !== undefined) sim.settings = { ...sim.settings, strictNumbers };
  return { status: 201, body: presentNumber(number) };
}

/** The `phone_number_id` of a body, checked. */
export function phoneNumberIdOf(body: JsonObject): string {
  const id = optionalString(body, 'phone_number_id');
  if (id === undefined || !isNumericId(id)) throw new InputError('"phone_number_id" must be a string of digits.');
  return id;
}

function numberDetails(body: JsonObject): { displayPhoneNumber?: string; wabaId?: string } {
  const display = optionalString(body, 'display_phone_number');
  const wabaId = optionalString(body, 'waba_id');
  if (wabaId !== undefined && !isNumericId(wabaId)) throw new InputError('"waba_id" must be a string of digits.');
  return {
    ...(display === undefined ? {} : { displayPhoneNumber: display }),
    ...(wabaId === undefined ? {} : { wabaId }),
  };
}

function readDetails(body: JsonObject): Partial<NumberDetails> {
  const [verifiedName, qualityRating, messagingLimit, status] = [
    optionalString(body, 'verified_name'),
    optionalString(body, 'quality_rating'),
    optionalString(body, 'messaging_limit'),
    optionalString(body, 'status'),
  ];
  return {
    ...(verifiedName === undefined ? {} : { verifiedName }),
    ...(qualityRating === undefined ? {} : { qualityRating }),
    ...(messagingLimit === undefined ? {} : { messagingLimit }),
    ...(status === undefined ? {} : { status }),
  };
}

function presentNumber(number: BusinessNumber): JsonObject {
  return {
    phone_number_id: number.phoneNumberId,
    display_phone_number: number.displayPhoneNumber,
    waba_id: number.wabaId,
    registered: number.registered,
  };
}
