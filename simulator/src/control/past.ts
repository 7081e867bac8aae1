import { isJsonObject, type JsonObject } from '../json.ts';
import type { BookEntry, PastMessage } from '../past/phone-past.ts';
import { normalisePhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import {
  InputError,
  objectList,
  optionalBoolean,
  optionalNumber,
  optionalString,
  readObject,
  refuseUnknown,
} from './fields.ts';
import { readNumber } from './inbound.ts';

const FIELDS = ['phone_number_id', 'contacts', 'messages', 'refuses'];
const MESSAGE_FIELDS = ['with', 'from_business', 'hours_ago', 'text', 'message'];
const HALF_A_YEAR_H = 180 * 24;
const HOUR_MS = 60 * 60 * 1000;

/**
 * `POST /_sim/past`: gives the phone of a business a book of contacts and messages from before the API, or lets the business refuse to
 * share them. They are handed over when the API asks for them (`POST /{phone_number_id}/smb_app_data`).
 */
export function postPast(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, FIELDS);
  const number = readNumber(sim, body);
  const book = objectList(body, 'contacts').map(readEntry);
  const messages = objectList(body, 'messages').map((one) => readMessage(sim, one));
  const past = sim.pasts.of(number.phoneNumberId);
  past.book = [...past.book, ...book];
  past.messages = [...past.messages, ...messages];
  past.refuses = optionalBoolean(body, 'refuses') ?? past.refuses;
  const { phoneNumberId: phone_number_id } = number;
  return ok({ phone_number_id, contacts: past.book.length, messages: past.messages.length, refuses: past.refuses });
}

function readEntry(entry: JsonObject): BookEntry {
  refuseUnknown(entry, ['phone', 'name'], '"contacts"');
  const name = optionalString(entry, 'name');
  if (name === undefined) throw new InputError('Every contact needs "phone" and "name".');
  return { phone: readPhone(entry, 'phone'), name };
}

function readMessage(sim: Simulation, one: JsonObject): PastMessage {
  refuseUnknown(one, MESSAGE_FIELDS, '"messages"');
  const customer = readPhone(one, 'with');
  const isSent = optionalBoolean(one, 'from_business') ?? false;
  const hoursAgo = optionalNumber(one, 'hours_ago', 0, HALF_A_YEAR_H) ?? 0;
  const { message } = one;
  const text = optionalString(one, 'text');
  if (message === undefined && text === undefined)
    throw new InputError('Every message needs "text", or "message" with a message object.');
  if (message !== undefined && !(isJsonObject(message) && typeof message.type === 'string'))
    throw new InputError('"message" must be an object with "type", as in the network\'s callbacks.');
  const said = isJsonObject(message) ? message : { type: 'text', text: { body: text ?? '' } };
  const atMs = sim.clock.now() - hoursAgo * HOUR_MS;
  return { customer, isSent, atMs, message: { id: sim.ids.inbound(customer), ...said } };
}

function readPhone(from: JsonObject, field: string): string {
  const phone = normalisePhone(optionalString(from, field) ?? '');
  if (phone === null) throw new InputError(`"${field}" must be a phone number of 7 to 15 digits.`);
  return phone;
}
