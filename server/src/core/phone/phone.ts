/** Longer input is refused unread: 15 digits with a separator after each fit easily. */
export const MAX_PHONE_INPUT = 40;
const MIN_DIGITS = 7;
/** ITU-T E.164. */
const MAX_DIGITS = 15;

const PLAIN_NUMBER = new RegExp(`^[1-9][0-9]{${MIN_DIGITS - 1},${MAX_DIGITS - 1}}$`);

export type ParsedPhone = { ok: true; phone: string } | { ok: false; reason: string };

/**
 * Reads a phone number in international form: a leading `+` or `00`, spaces, dashes and brackets are accepted.
 * Yields the digits alone, 7 to 15, the first not 0; else a sentence fragment that completes "The number …".
 * Whether the number exists is left to the network.
 */
export function parsePhone(input: string): ParsedPhone {
  // The form that nearly all have: each message is parsed several times.
  if (PLAIN_NUMBER.test(input)) return { ok: true, phone: input };
  if (input.length > MAX_PHONE_INPUT) return refused(`is longer than ${MAX_PHONE_INPUT} characters`);
  const written = input.replace(/[ ()[\]-]/g, '');
  if (written === '') return refused('is empty');
  const afterPlus = written.startsWith('+') ? written.slice(1) : written;
  if (!/^[0-9]*$/.test(afterPlus)) return refused(reasonForCharacters(afterPlus));
  // After a plus, 00 would be a second international prefix: that is a mistake, not a spelling.
  const digits = written.startsWith('00') ? written.slice(2) : afterPlus;
  if (digits.startsWith('0')) return refused('starts with 0; write it with its country code');
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) {
    const count = digits.length === 1 ? '1 digit' : `${digits.length} digits`;
    return refused(`has ${count}; a number has ${MIN_DIGITS} to ${MAX_DIGITS}`);
  }
  return { ok: true, phone: digits };
}

function reasonForCharacters(text: string): string {
  if (/\p{Letter}/u.test(text)) return 'contains letters';
  if (text.includes('+')) return 'contains a + that is not at its start';
  if (/(?![0-9])\p{Number}/u.test(text)) return 'contains digits other than 0 to 9';
  const [strange] = /[!-~]/.exec(text.replace(/[0-9]/g, '')) ?? [];
  // Only a visible ASCII character is shown: anything else could garble the sentence.
  return strange === undefined ? 'contains characters that are not digits' : `contains "${strange}"`;
}

function refused(reason: string): ParsedPhone {
  return { ok: false, reason };
}
