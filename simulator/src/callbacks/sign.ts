import { createHmac } from 'node:crypto';

/** The value of `X-Hub-Signature-256`: HMAC-SHA256 of exactly these bytes (ASCII) under the app secret's text. */
export function signatureOf(appSecret: string, body: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body, 'latin1').digest('hex')}`;
}
