import { createHmac } from 'node:crypto';
import { webhookSecretBytes } from '#webhooks/domain/webhook-secret';

/** What a delivery says in its headers. */
export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

export interface SignRequest {
  /** The same in each attempt. */
  readonly id: string;
  /** When the attempt is made. */
  readonly nowMs: number;
  /** The body, byte for byte as it is posted. */
  readonly body: string;
  /** While secrets are rotated the old one signs too: the receiver accepts the one that it knows. */
  readonly secrets: readonly string[];
}

/**
 * Signs as the network signs its callbacks: HMAC-SHA256 of the body in hex. The key is the text of the secret, as its receivers use theirs. There is
 * room for one signature only.
 */
export function signAsNetwork(body: string, secret: string): { readonly 'x-hub-signature-256': string } {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

/** Signs as Standard Webhooks has it: HMAC-SHA256 over `id.timestamp.body`, base64, one `v1` signature per secret. */
export function signWebhook({ id, nowMs, body, secrets }: SignRequest): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', webhookSecretBytes(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
