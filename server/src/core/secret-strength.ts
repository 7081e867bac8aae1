/** Random secrets of 16 characters have 64 bits and more, even in hexadecimal digits. */
const MIN_LENGTH = 16;
/** 32 random hexadecimal digits have fewer different ones once in 300,000 times; people's fillers have one to three. */
const MIN_DIFFERENT = 8;

/** Whether a secret could be found by trying: too short, or of too few different characters. */
export function isGuessable(secret: string): boolean {
  return secret.length < MIN_LENGTH || new Set(secret).size < MIN_DIFFERENT;
}
