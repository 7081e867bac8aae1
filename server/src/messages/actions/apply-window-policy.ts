import type { WindowRule } from '#access/store/tenants';
import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import { isWindowOpen } from '#messages/store/window';
import type { TemplateContent } from '#templates/domain/content';
import type { CheckedSend } from './check-send.ts';

/**
 * Lets a free-form message leave as it is inside the 24-hour window; outside of it, it is refused, or replaced by the tenant's template.
 * @returns why it is refused, or null
 */
export async function applyWindowPolicy(db: Database, rule: WindowRule, send: CheckedSend): Promise<ApiProblem | null> {
  if (await askWindow(db, send)) return null;
  const { windowPolicy, fallback } = rule;
  const { type } = send.given.content;
  if (windowPolicy === 'network') return null;
  // A reaction says nothing that a template could say in its place.
  if (windowPolicy === 'refuse' || fallback === null || type === 'reaction') return new ApiProblem('window_closed');
  const content: TemplateContent = { type: 'template', template: { ...fallback, instead_of: type } };
  send.request = { ...send.given, content };
  return null;
}

/** Whether the window of the recipient is open, as far as is known; true when its number or the sending number is not known. */
export async function askWindow(db: Database, send: CheckedSend): Promise<boolean> {
  const { tenantId, to: phone, phoneNumberId, nowMs } = send;
  if (phone === null || phoneNumberId === null) return true;
  send.isWindowOpen ??= await isWindowOpen(db, { tenantId, phone, phoneNumberId, nowMs });
  return send.isWindowOpen;
}

/** The refusal when the template cannot go either. */
export function fallbackProblem({ message }: ApiProblem): ApiProblem {
  const sentence = `The customer last wrote more than 24 hours ago, and the template that goes then cannot be sent. ${message}`;
  return new ApiProblem('window_closed', { sentence });
}
