import { type NetworkError, networkError } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isUserId, normalisePhone, type RecipientKind } from '../recipient.ts';
import { checkPayload } from './payloads/check-payload.ts';
import { lengthOf } from './payloads/text.ts';

/** A send that the network would accept, before limits and the customer's state are asked. */
export type CheckedSend = {
  /** The caller's literal recipient. */
  readonly input: string;
  /** `wa_id` digits, a user id or a group id, as `kind` says. */
  readonly to: string;
  readonly kind: RecipientKind;
  readonly type: string;
  readonly biz: string | null;
  readonly body: JsonObject;
};

const MAX_BIZ_DATA = 512;
// A group id is opaque; this only keeps the wamid and the ledger's line well-formed.
const GROUP_ID = /^[A-Za-z0-9._:@=-]{1,128}$/;

/** Checks a send's body in the order of its fields; the first fault is the answer, as on the network. */
export function checkSend(body: JsonObject): CheckedSend | NetworkError {
  if (body.messaging_product !== 'whatsapp') {
    return networkError(100, "Param messaging_product is required and must be 'whatsapp'.");
  }
  const recipient = readRecipient(body);
  if ('code' in recipient) return recipient;
  const type = body.type ?? 'text';
  if (typeof type !== 'string') return networkError(100, 'Param type must be a string.');
  const fault = checkPayload(type, body) ?? checkCommon(body);
  if (fault !== null) return fault;
  const biz = body.biz_opaque_callback_data;
  return { ...recipient, type, biz: typeof biz === 'string' ? biz : null, body };
}

type Recipient = Pick<CheckedSend, 'input' | 'to' | 'kind'>;

function readRecipient(body: JsonObject): Recipient | NetworkError {
  const { to, recipient, recipient_type: kind } = body;
  if (kind !== undefined && kind !== 'individual' && kind !== 'group') {
    return networkError(100, "Param recipient_type must be one of {'individual', 'group'}.");
  }
  if (to === undefined && recipient !== undefined) return readUserId(recipient);
  if (to === undefined || to === null || to === '') return networkError(100, 'The parameter to is required.');
  if (typeof to !== 'string') return networkError(100, 'Param to must be a string.');
  if (kind === 'group') {
    return GROUP_ID.test(to) ? { input: to, to, kind: 'group' } : networkError(131009, 'Param to is not a group id.');
  }
  const waId = normalisePhone(to);
  if (waId === null) return networkError(131009, 'Param to is not a valid phone number with its country code.');
  return { input: to, to: waId, kind: 'phone' };
}

function readUserId(recipient: unknown): Recipient | NetworkError {
  if (typeof recipient === 'string' && isUserId(recipient)) return { input: recipient, to: recipient, kind: 'user' };
  return networkError(131009, 'Param recipient is not a business-scoped user id.');
}

function checkCommon(body: JsonObject): NetworkError | null {
  const { context, biz_opaque_callback_data: biz } = body;
  if (biz !== undefined) {
    if (typeof biz !== 'string') return networkError(100, 'Param biz_opaque_callback_data must be a string.');
    if (lengthOf(biz) > MAX_BIZ_DATA) {
      return networkError(100, `Param biz_opaque_callback_data must be at most ${MAX_BIZ_DATA} characters long.`);
    }
  }
  if (context === undefined) return null;
  const messageId = isJsonObject(context) ? context.message_id : undefined;
  if (typeof messageId === 'string' && messageId !== '') return null;
  return networkError(100, "Param context['message_id'] must be a message id.");
}
