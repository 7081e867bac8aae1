import { type InboundFile, mediaMessage } from '../inbound/media-message.ts';
import { type InboundMessage, receive } from '../inbound/receive.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import { isUserId, normalisePhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, objectList, optionalBoolean, optionalString, readObject, refuseUnknown } from './fields.ts';
import { phoneNumberIdOf } from './numbers.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MAX_MESSAGES = 10_000;
/** What a message may be besides a text, a file and a message object: how the network's callbacks write it. */
const SHORT_FORMS: Readonly<Record<string, (value: JsonObject) => JsonObject>> = {
  location: (location) => ({ type: 'location', location }),
  reaction: (reaction) => ({ type: 'reaction', reaction }),
  button: (button) => ({ type: 'button', button }),
  button_reply: (reply) => ({ type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } }),
  flow_reply: (answers) => ({
    type: 'interactive',
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) },
    },
  }),
  list_reply: (reply) => ({ type: 'interactive', interactive: { type: 'list_reply', list_reply: reply } }),
};
const CONTENTS = ['text', 'media', 'message', ...Object.keys(SHORT_FORMS)];
const FIELDS = ['from', 'phone_number_id', 'name', 'user_id', 'contacts', 'reply_to', ...CONTENTS];

/**
 * `POST /_sim/inbound`: a customer writes. One message in the body, or many under `messages`. Answers `{id, queued}`,
 * and `ids` for many, when the callbacks are queued. Of a customer whom the number has blocked, the id is null.
 */
export function postInbound(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  if (body.messages === undefined) {
    const id = queue(sim, readInbound(sim, body));
    return ok({ id, queued: id === null ? 0 : 1 });
  }
  refuseUnknown(body, ['messages']);
  const items = objectList(body, 'messages');
  if (items.length > MAX_MESSAGES) throw new InputError(`"messages" holds at most ${MAX_MESSAGES} messages.`);
  // All are read before one is queued: a fault in the last must not leave the others half sent.
  const ids = items.map((item) => readInbound(sim, item)).map((inbound) => queue(sim, inbound));
  return ok({ id: ids[0] ?? null, ids, queued: ids.filter((id) => id !== null).length });
}

/** @returns null: the number has blocked the customer, whose message never leaves the phone */
function queue(sim: Simulation, inbound: InboundMessage): string | null {
  if (sim.business.isBlocked(inbound.number.phoneNumberId, inbound.from, inbound.userId)) return null;
  const { id, update } = receive(sim, inbound);
  sim.callbacks.schedule(sim.clock.now(), update);
  return id;
}

function readInbound(sim: Simulation, body: JsonObject): InboundMessage {
  refuseUnknown(body, FIELDS);
  const number = readNumber(sim, body);
  const file = body.media === undefined ? null : readFile(body.media);
  const given = file === null ? readMessage(body) : objectOrEmpty(body.message);
  const { from, userId } = readSender(body, given);
  // The file is kept last: a refused message leaves nothing behind.
  const content = file === null ? given : { ...given, ...mediaMessage(sim, number, file) };
  const message = { ...contextOf(body, number), ...content };
  const contacts = body.contacts === undefined ? null : objectList(body, 'contacts');
  const name = optionalString(body, 'name') ?? null;
  return { number, from, userId, name, message, contacts };
}

/** What the message answers, as the network shows it. */
function contextOf(body: JsonObject, number: BusinessNumber): JsonObject {
  const id = optionalString(body, 'reply_to');
  return id === undefined ? {} : { context: { from: number.displayPhoneNumber, id } };
}

function readMessage(body: JsonObject): JsonObject {
  const form = Object.keys(SHORT_FORMS).find((name) => body[name] !== undefined);
  if (form !== undefined) {
    const value = body[form];
    if (!isJsonObject(value)) throw new InputError(`"${form}" must be an object as in the network's callbacks.`);
    if (CONTENTS.some((name) => name !== form && body[name] !== undefined))
      throw new InputError(`Give "${form}" or another content, not both.`);
    return SHORT_FORMS[form]?.(value) ?? {};
  }
  if (body.message !== undefined) {
    if (!isJsonObject(body.message))
      throw new InputError('"message" must be an object as in the network\'s callbacks.');
    return body.message;
  }
  const text = optionalString(body, 'text');
  if (text === undefined) throw new InputError('Give "text", "media", or "message" with a message object.');
  return { text: { body: text }, type: 'text' };
}

function objectOrEmpty(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** `media: {mime_type, data, filename?, caption?, voice?}`; `data` is base64. */
function readFile(value: unknown): InboundFile {
  if (!isJsonObject(value)) throw new InputError('"media" must be an object with "mime_type" and "data".');
  refuseUnknown(value, ['mime_type', 'data', 'filename', 'caption', 'voice'], '"media"');
  const mimeType = optionalString(value, 'mime_type');
  const data = optionalString(value, 'data');
  if (mimeType === undefined || data === undefined)
    throw new InputError('"media" needs "mime_type" and "data" (base64).');
  if (!BASE64.test(data)) throw new InputError('"data" of "media" must be base64.');
  return {
    mimeType,
    bytes: Buffer.from(data, 'base64'),
    fileName: optionalString(value, 'filename') ?? null,
    caption: optionalString(value, 'caption') ?? null,
    voice: optionalBoolean(value, 'voice') ?? false,
  };
}

/** Who writes or calls. */
export function readSender(body: JsonObject, message: JsonObject): { from: string | null; userId: string | null } {
  const userId = optionalString(body, 'user_id') ?? optionalString(message, 'from_user_id') ?? null;
  if (userId !== null && !isUserId(userId)) throw new InputError('"user_id" must look like US.13491208655302741918.');
  const given = optionalString(body, 'from') ?? optionalString(message, 'from');
  if (given === undefined) {
    // A message object is sent as it is: some of the network's kinds name no sender.
    if (userId === null && body.message === undefined)
      throw new InputError('Give "from" (a phone number) or "user_id".');
    return { from: null, userId };
  }
  const from = normalisePhone(given);
  if (from === null && body.message === undefined)
    throw new InputError('"from" must be a phone number of 7 to 15 digits.');
  return { from: from ?? given, userId };
}

/** The business number that a request is about. */
export function readNumber(sim: Simulation, body: JsonObject): BusinessNumber {
  const chosen = body.phone_number_id !== undefined ? phoneNumberIdOf(body) : sim.settings.defaultPhoneNumberId;
  if (chosen === null) {
    const number = sim.numbers.lastSender ?? sim.numbers.list()[0];
    if (number === undefined) throw new InputError('Give "phone_number_id": no number has sent anything yet.');
    return number;
  }
  const number = sim.numbers.find(chosen, sim.settings.strictNumbers);
  if (number === null) throw new InputError(`The number ${chosen} is not registered and strict_numbers is on.`);
  return number;
}
