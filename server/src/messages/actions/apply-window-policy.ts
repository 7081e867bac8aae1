import type { WindowRule } from '#access/store/tenants';
import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import { isWindowOpen } from '#messages/store/window';
import type { TemplateContent } from '#templates/domain/content';
import type { SendRequest } from './accept-message.ts';
import type { WindowQuestion } from './send-checks.ts';

/**
 * A free-form request as the tenant lets it leave now: as it is inside the 24-hour window, and outside of it refused, or
 * replaced by the tenant's template.
 */
export async function applyWindowPolicy(
  db: Database,
  rule: WindowRule,
  { request, asked }: { readonly request: SendRequest; readonly asked: WindowQuestion },
): Promise<SendRequest | ApiProblem> {
  if (await isWindowOpen(db, asked)) return request;
  return outsideWindow(rule, request);
}

/** The same for a window that is known to be closed. */
export function outsideWindow({ windowPolicy, fallback }: WindowRule, request: SendRequest): SendRequest | ApiProblem {
  if (windowPolicy === 'network') return request;
  const { type } = request.content;
  // A reaction says nothing that a template could say in its place.
  if (windowPolicy === 'refuse' || fallback === null || type === 'reaction') return new ApiProblem('window_closed');
  const content: TemplateContent = { type: 'template', template: { ...fallback, instead_of: type } };
  return { ...request, content };
}

/** The refusal when the template cannot go either. */
export function fallbackProblem({ message }: ApiProblem): ApiProblem {
  const sentence = `The customer last wrote more than 24 hours ago, and the template that goes then cannot be sent. ${message}`;
  return new ApiProblem('window_closed', { sentence });
}
