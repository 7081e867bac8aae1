/** Accents of the Latin, Greek and Cyrillic scripts, Hebrew points and Arabic vowel signs. Indic vowel signs are letters, and stay. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;

/** Letters that Unicode does not take apart, though people who lack the key write them so. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  þ: 'th',
  ς: 'σ',
  // Rounded and tall forms in old Cyrillic prints: the only other letters that differ from another by case alone.
  ᲀ: 'в',
  ᲁ: 'д',
  ᲂ: 'о',
  ᲃ: 'с',
  ᲄ: 'т',
  ᲅ: 'т',
  ᲆ: 'ъ',
  ᲇ: 'ѣ',
  ᲈ: 'ꙋ',
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * A text as it is compared: without case, without accents, with compatible characters as one (full-width letters,
 * ligatures). Folding twice gives the same as folding once.
 */
export function fold(text: string): string {
  const apart = text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(ACCENTS, '');
  return apart.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter).normalize('NFC');
}

/** The words of a text, folded: runs of letters and digits. */
export function foldedWords(text: string): readonly string[] {
  return fold(text).match(WORD) ?? [];
}

/** A text folded for comparison as a whole: surrounding space is dropped, and space between words is one blank. */
export function foldWhole(text: string): string {
  return fold(text).trim().replace(/\s+/g, ' ');
}
