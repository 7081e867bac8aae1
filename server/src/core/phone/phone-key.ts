/**
 * Spellings of the same mobile number that exist side by side, each with the conversion to the one that is its key. The
 * network answers with one of them whichever was dialed, so both mean one person.
 */
const SPELLINGS: readonly (readonly [pattern: RegExp, key: string])[] = [
  // Brazil: mobile numbers got a 9 in front; accounts from before are still known without it.
  [/^55([1-9][1-9])([6-9][0-9]{7})$/, '55$19$2'],
  // Mexico: a 1 after the country code marked mobile numbers.
  [/^521([0-9]{10})$/, '52$1'],
  // Argentina: a 9 after the country code marks mobile numbers.
  [/^549([0-9]{10})$/, '54$1'],
];

/**
 * The key that identifies a number: equal for all spellings of one number. Not to be dialed or shown: a reply goes to
 * the spelling that the network used. A user id of the network is its own key.
 * @param phone digits only, in international form; or a user id
 */
export function phoneKey(phone: string): string {
  const spelling = SPELLINGS.find(([pattern]) => pattern.test(phone));
  return spelling === undefined ? phone : phone.replace(spelling[0], spelling[1]);
}

/** The spellings that share a key, the key among them. */
export function phoneSpellings(phone: string): readonly string[] {
  const key = phoneKey(phone);
  const brazil = /^(55[1-9][1-9])9([6-9][0-9]{7})$/.exec(key);
  if (brazil) return [key, `${brazil[1]}${brazil[2]}`];
  if (/^52[0-9]{10}$/.test(key)) return [key, `521${key.slice(2)}`];
  return /^54[0-9]{10}$/.test(key) ? [key, `549${key.slice(2)}`] : [key];
}
