/** One check per message type: what its payload must hold and how long it may be. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { checkContacts } from './contacts.ts';
import { checkInteractive } from './interactive.ts';
import { checkLocation } from './location.ts';
import { checkMedia, MEDIA_TYPES } from './media.ts';
import { checkTemplate } from './template.ts';
import { checkKeys, checkString } from './text.ts';

type Check = (payload: JsonObject) => NetworkError | null;

const MAX_TEXT = 4096;
const MAX_ID = 512;
const MAX_EMOJI = 64;
const MAX_PIN_DAYS = 30;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['text', checkText],
  ...MEDIA_TYPES.map((type): [string, Check] => [type, (payload) => checkMedia(type, payload)]),
  ['location', checkLocation],
  ['reaction', checkReaction],
  ['interactive', checkInteractive],
  ['template', checkTemplate],
  ['pin', checkPin],
]);

/** Null when `type` is a message type and its member of the body is as the network wants it, else the refusal. */
export function checkPayload(type: string, body: JsonObject): NetworkError | null {
  if (type === 'contacts') return checkContacts(body.contacts);
  const check = CHECKS.get(type);
  if (check === undefined) return networkError(131051, `Message type "${type}" is not supported.`);
  const payload = body[type];
  if (payload === undefined) return networkError(131008, `Parameter '${type}' is mandatory for type '${type}'`);
  if (!isJsonObject(payload)) return networkError(100, `Param ${type} must be a JSON object.`);
  return check(payload);
}

function checkText(payload: JsonObject): NetworkError | null {
  const { preview_url: previewUrl } = payload;
  if (previewUrl !== undefined && typeof previewUrl !== 'boolean') {
    return networkError(100, "Param text['preview_url'] must be a boolean.");
  }
  return checkString("text['body']", payload.body, 1, MAX_TEXT);
}

function checkReaction(payload: JsonObject): NetworkError | null {
  return (
    checkKeys('reaction', payload, ['message_id', 'emoji']) ??
    checkString("reaction['message_id']", payload.message_id, 1, MAX_ID) ??
    checkString("reaction['emoji']", payload.emoji, 0, MAX_EMOJI)
  );
}

function checkPin(payload: JsonObject): NetworkError | null {
  const { type, expiration_days: days } = payload;
  if (type !== 'pin' && type !== 'unpin') return networkError(131009, "Param pin['type'] must be one of {pin, unpin}.");
  if (days !== undefined && !(typeof days === 'number' && days >= 1 && days <= MAX_PIN_DAYS)) {
    return networkError(131009, `Param pin['expiration_days'] must be a number from 1 to ${MAX_PIN_DAYS}.`);
  }
  return checkString("pin['message_id']", payload.message_id, 1, MAX_ID);
}
