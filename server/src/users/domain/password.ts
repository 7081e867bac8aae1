/** What a password must be. Attempts are limited, so these rules only keep out what is guessed within a few tries. */

const MIN_CHARACTERS = 12;
/** More would only cost time to hash; the longest sentences that people remember are shorter. */
const MAX_CHARACTERS = 256;
/** So many characters must be left when everything that is guessed first has been taken out. */
const MIN_OWN_CHARACTERS = 6;
const MIN_DIFFERENT = 5;

/** What people reach for when a password has to be long. */
const COMMON = [
  ...['password', 'passwort', 'passphrase', 'letmein', 'welcome', 'changeme', 'iloveyou', 'trustno', 'qwertyuiop'],
  ...['qwerty', 'azerty', 'qwertz', 'asdfghjkl', 'asdfgh', 'zxcvbnm', 'zxcvb', 'zaqwsx', 'qazwsxedc', 'qazwsx'],
  ...['administrator', 'admin', 'secret', 'default', 'login', 'signin', 'access', 'master', 'dragon', 'monkey'],
  ...['football', 'baseball', 'princess', 'sunshine', 'superman', 'shadow', 'michael', 'starwars', 'hello', 'abcdef'],
  ...['summer', 'winter', 'spring', 'autumn', 'test', 'user', 'root', 'pass', 'love'],
];
const PRODUCT = ['postrider', 'whatsapp', 'messaging', 'inbox'];
/** What stands for a letter. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};
/** The last two digits of a year, or an exclamation mark at the end, make nothing harder to guess. */
const YEAR = /(?:19|20)\d\d/g;

/** Who chooses a password: what others know of them is no secret. */
export interface PasswordOwner {
  readonly name: string;
  readonly email: string | null;
}

/** One password whichever keyboard typed it: the same text can be written in several ways in Unicode. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Why a password is refused, as a sentence; null: it is fine. @param password normalized */
export function passwordFault(password: string, owner: PasswordOwner): string | null {
  const { length } = [...password];
  if (length < MIN_CHARACTERS) return `The password must have at least ${MIN_CHARACTERS} characters.`;
  if (length > MAX_CHARACTERS) return `The password must have at most ${MAX_CHARACTERS} characters.`;
  if (isGuessedFirst(password, owner))
    return 'This password is too easy to guess. Use several words that have nothing to do with you or with each other.';
  return null;
}

function isGuessedFirst(password: string, owner: PasswordOwner): boolean {
  const folded = password.toLowerCase();
  if (new Set(folded).size < MIN_DIFFERENT || isRepetition(folded)) return true;
  const letters = [...folded].map((character) => LOOKALIKES[character] ?? character).join('');
  return [folded, letters].some((text) => ownCharacters(text, owner) < MIN_OWN_CHARACTERS);
}

/** Whether it is a shorter text again and again, even if the last time is cut off. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size += 1) {
    const unit = text.slice(0, size);
    if (unit.repeat(Math.ceil(text.length / size)).startsWith(text)) return true;
  }
  return false;
}

/** How many characters are left without known words, runs and years. */
function ownCharacters(text: string, owner: PasswordOwner): number {
  const words = [...COMMON, ...PRODUCT, ...wordsOf(owner)].toSorted((left, right) => right.length - left.length);
  let rest = text;
  for (const word of words) rest = rest.replaceAll(word, ' ');
  return [...withoutRuns(rest.replace(YEAR, ' '))].filter((character) => /[\p{L}\p{N}]/u.test(character)).length;
}

function wordsOf({ name, email }: PasswordOwner): readonly string[] {
  const parts = `${name} ${email ?? ''}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part.length >= 3);
}

const MIN_RUN = 3;

/** Takes out what goes up or down by one, or stays the same: 12345, edcba, 7777. */
function withoutRuns(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const kept: number[] = [];
  for (let start = 0; start < codes.length; ) {
    const end = runEnd(codes, start);
    if (end - start < MIN_RUN) kept.push(...codes.slice(start, end));
    start = end;
  }
  return String.fromCodePoint(...kept);
}

/** Behind the last member of the run that begins at `start`. */
function runEnd(codes: readonly number[], start: number): number {
  const step = (codes[start + 1] ?? Number.NaN) - (codes[start] ?? 0);
  if (!(Math.abs(step) <= 1)) return start + 1;
  let end = start + 2;
  while ((codes[end] ?? Number.NaN) - (codes[end - 1] ?? 0) === step) end += 1;
  return end - start < MIN_RUN ? start + 1 : end;
}
