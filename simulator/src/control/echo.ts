import { scheduleStatuses } from '../callbacks/schedule-statuses.ts';
import type { SentMessage } from '../callbacks/updates.ts';
import { NEVER_COUNTED } from '../figures/figure-book.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isUserId, normalisePhone, userIdOfPhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalString, readObject, refuseUnknown } from './fields.ts';
import { readNumber } from './inbound.ts';

const FIELDS = ['to', 'phone_number_id', 'text', 'message', 'reply_to'];
/** As of a customer who has the phone in hand. */
const STATUSES = [
  { status: 'delivered', afterMs: 500, priced: false },
  { status: 'read', afterMs: 1_500, priced: false },
] as const;

/**
 * `POST /_sim/echo`: the business writes with the app on its phone, to a customer. Answers `{id, queued}` when the report to the
 * API is queued; `delivered` and `read` follow.
 */
export function postEcho(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, FIELDS);
  const number = readNumber(sim, body);
  const to = readRecipient(body);
  const content = readContent(body);
  const nowMs = sim.clock.now();
  const id = typeof content.id === 'string' ? content.id : sim.ids.inbound(to);
  const isUser = isUserId(to);
  const echo = {
    from: number.displayPhoneNumber,
    ...(isUser ? { to_user_id: to } : { to, to_user_id: userIdOfPhone(to) }),
    id,
    timestamp: String(Math.floor(nowMs / 1000)),
    ...content,
  };
  const { phoneNumberId } = number;
  const sendsBefore = sim.ledger.size;
  sim.customers.noteEvent({ id, phoneNumberId, peer: to, isOurs: true, atMs: nowMs, sendsBefore, message: echo });
  const metadata = { display_phone_number: number.displayPhoneNumber, phone_number_id: number.phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, message_echoes: [echo] };
  const { wabaId } = number;
  sim.callbacks.schedule(nowMs, {
    ...{ kind: 'account', field: 'smb_message_echoes', wabaId, atMs: nowMs, value, holds: () => true },
  });
  if (content.type !== 'edit' && content.type !== 'revoke') {
    const message: SentMessage = {
      ...{ number, id, to, kind: isUser ? 'user' : 'phone', hidesPhone: false, bizJson: null },
      ...{ type: String(content.type), templateCategory: null, templateId: null, counted: NEVER_COUNTED },
    };
    scheduleStatuses(sim, message, STATUSES, nowMs);
  }
  return ok({ id, queued: 1 });
}

function readRecipient(body: JsonObject): string {
  const given = optionalString(body, 'to');
  if (given === undefined) throw new InputError('Give "to": a phone number or a user id.');
  const to = isUserId(given) ? given : normalisePhone(given);
  if (to === null) throw new InputError('"to" must be a phone number of 7 to 15 digits, or a user id.');
  return to;
}

function readContent(body: JsonObject): JsonObject {
  const replyTo = optionalString(body, 'reply_to');
  const context = replyTo === undefined ? {} : { context: { id: replyTo } };
  const { message } = body;
  if (message !== undefined) {
    if (!isJsonObject(message) || typeof message.type !== 'string')
      throw new InputError('"message" must be an object with "type", as in the network\'s callbacks.');
    return { ...context, ...message };
  }
  const text = optionalString(body, 'text');
  if (text === undefined) throw new InputError('Give "text", or "message" with a message object.');
  return { ...context, type: 'text', text: { body: text } };
}
