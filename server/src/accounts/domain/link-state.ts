import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, type LinkStateId, type TenantId } from '#core/ids';

/** What the `state` of the dialog says: whose dialog it is, and until when it counts. */
export interface LinkState {
  readonly tenantId: TenantId;
  readonly stateId: LinkStateId;
  readonly expiresMs: number;
}

/** Apart from everything else that the same secret may sign one day. */
const PURPOSE = 'postrider link state v1';
const STATE = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9]{1,15})\.([\w-]{43})$/;

/** The text that travels through the browser. Nothing in it is secret; the mac proves that we wrote it. */
export function makeLinkState(secret: string, { tenantId, stateId, expiresMs }: LinkState): string {
  const plain = `${tenantId}.${stateId}.${expiresMs}`;
  return `${plain}.${macOf(secret, plain)}`;
}

/** What a state says; null when we did not write it. Whether its time is over the caller decides. */
export function readLinkState(secret: string, text: string): LinkState | null {
  const [, tenantId = '', stateId = '', expires = '', mac = ''] = STATE.exec(text) ?? [];
  if (!isUuid(tenantId) || !isUuid(stateId)) return null;
  const expected = Buffer.from(macOf(secret, `${tenantId}.${stateId}.${expires}`));
  if (!timingSafeEqual(expected, Buffer.from(mac))) return null;
  return { tenantId: tenantId as TenantId, stateId: stateId as LinkStateId, expiresMs: Number(expires) };
}

/**
 * The PIN that a number is registered with. The network requires the same one at each registration, so it is derived
 * from the secret: an answer that was lost, or a process that was killed, leaves no number behind whose PIN is unknown.
 * @returns six digits
 */
export function registrationPin(secret: string, phoneNumberId: string): string {
  const digest = createHmac('sha256', secret).update(`postrider registration pin v1|${phoneNumberId}`).digest();
  return String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0');
}

function macOf(secret: string, plain: string): string {
  return createHmac('sha256', secret).update(`${PURPOSE}|${plain}`).digest('base64url');
}
