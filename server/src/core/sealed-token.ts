import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key that tokens are encrypted with. */
export interface EncryptionKey {
  /** Names it beside what it encrypted; says nothing about it. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** An encrypted token, and which key opens it. */
export interface SealedToken {
  /** Base64 of nonce (12 bytes), tag (16 bytes) and ciphertext. */
  readonly sealed: string;
  readonly keyId: string;
}

const CIPHER = 'aes-256-gcm';
/** What GCM is made for; random, and a key seals far fewer than 2^32 tokens. */
const NONCE_BYTES = 12;
/** Said to the cipher in so many words: it would also take a shorter tag, which is easier to forge. */
const TAG_BYTES = 16;

/** @param owner the owner of the token; a row copied to another owner does not open there */
export function sealToken(key: EncryptionKey, owner: string, token: string): SealedToken {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64'), keyId: key.id };
}

/** The token; null when the key is another one, or a byte was changed. */
export function openToken(key: EncryptionKey, owner: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
