const PREFIX = 'whsec_';
/** "between 24 and 64 bytes", says the specification of Standard Webhooks. */
const SECRET_BYTES = 32;

/** @param randomBytes a cryptographic source */
export function makeWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

/** The bytes that sign. */
export function webhookSecretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
