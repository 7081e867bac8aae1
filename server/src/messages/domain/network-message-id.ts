import { ANY_UUID, isUuid, type MessageId } from '#core/ids';
import { isUserId } from '#core/phone/recipient';

/** What the network's ids of messages begin with. */
const PREFIX = 'wamid.';
const UUID_BYTES = 16;
const UUID_GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** What may name a message: our id, the network's id, or the surrogate that stands for it. */
export const MESSAGE_NAME = new RegExp(`^(?:${ANY_UUID}|wamid\\.[A-Za-z0-9+/=_-]{1,512})$`);

/**
 * The id of one of our messages in the form of the network's: a client of the network gets it when the message is stored, before the
 * network has given an id of its own. Nothing is stored for it: the id of the message is in it.
 */
export function surrogateId(messageId: MessageId): string {
  return PREFIX + Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Our id in a surrogate; null for any other text, also for an id of the network. */
export function readSurrogate(id: string): MessageId | null {
  if (!id.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(id.slice(PREFIX.length), 'base64url');
  if (bytes.length !== UUID_BYTES) return null;
  const messageId = bytes.toString('hex').replace(UUID_GROUPS, '$1-$2-$3-$4-$5') as MessageId;
  // Base64 has several spellings of the same bytes: one message has one surrogate.
  return isUuid(messageId) && surrogateId(messageId) === id ? messageId : null;
}

/** Whether a text may be an id that the network gave. */
export function isNetworkMessageId(id: string): boolean {
  return id.startsWith(PREFIX) && readSurrogate(id) === null;
}

/** Two bytes that every id of the network begins with; the length of the customer's number or user id follows. */
const HEAD = Buffer.from([0x1c, 0x18]);
const DIGITS = /^[0-9]{7,15}$/;

/**
 * The digits or the user id of the customer in an id of the network; null: none can be read. An id promises nothing about what is in it, so this is
 * only where to look for a message, never a proof of anything.
 */
export function customerIn(networkMessageId: string): string | null {
  const bytes = Buffer.from(networkMessageId.slice(PREFIX.length), 'base64');
  const [, , length = 0] = bytes;
  if (!bytes.subarray(0, HEAD.length).equals(HEAD)) return null;
  const customer = bytes.toString('latin1', HEAD.length + 1, HEAD.length + 1 + length);
  return DIGITS.test(customer) || isUserId(customer) ? customer : null;
}
