import type { TenantSuppressions } from '#contacts/actions/suppression-cache';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { parseRecipient } from '#core/phone/recipient';
import type { Database } from '#database/database';
import { mediaLimits } from '#media/domain/media-content';
import { type MediaRef, mediaRefs } from '#messages/domain/content';
import type { KnownMedia, MediaCache } from '#messages/domain/media-lookup';
import { MAX_SCHEDULE_AHEAD_S, MAX_TTL_S, type Priority } from '#messages/domain/message';
import { findMessage } from '#messages/store/message-reads';
import type { TemplateCache, TemplateVerdict } from '#templates/actions/template-cache';
import type { SendRequest } from './accept-message.ts';

/** What the checks that look something up need. */
export interface CheckDeps {
  readonly db: Database;
  readonly media: MediaCache;
  readonly templates: TemplateCache;
}

/** Checks that need no database; all faults at once. */
export function requestFaults(request: SendRequest, nowMs: number): readonly FaultDetail[] {
  const faults: FaultDetail[] = [];
  const read = parseRecipient(request.to);
  if (!read.ok) faults.push({ path: 'body.to', message: `to ${read.reason}` });
  if (request.sendAtMs !== null || request.expiresMs !== null) checkTimes(request, nowMs, faults);
  return faults;
}

/** The digits of a number, or a user id; called after the checks. */
export function recipientOf(request: SendRequest): string {
  const read = parseRecipient(request.to);
  return read.ok ? read.recipient : '';
}

/** The refusal of a request with these faults. */
export function faultsProblem(faults: readonly FaultDetail[]): ApiProblem {
  const sentence = `${faults.map((fault) => fault.message).join('; ')}.`;
  return new ApiProblem('validation_failed', { sentence, details: faults });
}

function checkTimes(request: SendRequest, nowMs: number, faults: FaultDetail[]): void {
  const { sendAtMs, expiresMs } = request;
  const startMs = Math.max(nowMs, sendAtMs ?? nowMs);
  if (sendAtMs !== null && sendAtMs > nowMs + MAX_SCHEDULE_AHEAD_S * 1000) {
    faults.push({ path: 'body.send_at', message: 'send_at is more than 30 days ahead' });
  }
  if (expiresMs !== null && expiresMs <= startMs) {
    faults.push({ path: 'body.expires_at', message: 'expires_at is not after the time of sending' });
  }
  if (expiresMs !== null && expiresMs > startMs + MAX_TTL_S * 1000) {
    faults.push({ path: 'body.expires_at', message: 'expires_at is more than 30 days after the time of sending' });
  }
}

/** Whether the content may only be sent inside the 24-hour window: everything but a template. */
export function needsWindow(request: SendRequest): boolean {
  return request.content.type !== 'template';
}

/** The refusal of a message to a blocked recipient, or of marketing to one who has opted out, altogether or from this number; otherwise null. */
export function suppressionProblem(
  suppressions: TenantSuppressions,
  request: SendRequest,
  { category, from }: { readonly category: string | null; readonly from: PhoneNumberId | null },
): ApiProblem | null {
  const marketing = request.campaignName !== null || request.priority === 'bulk' || category === 'marketing';
  return suppressions.problem(recipientOf(request), marketing, from);
}

/** Every refusal for what the request names: the message it answers or reacts to, and its media. */
export async function referenceProblems(
  { db, media }: CheckDeps,
  tenantId: TenantId,
  request: SendRequest,
): Promise<readonly ApiProblem[]> {
  const problems = [await targetProblem(db, tenantId, request), await mediaProblem(media, tenantId, request)];
  return problems.filter((problem) => problem !== null);
}

/** Every refusal for the media that a content names. */
export async function contentProblems(
  { media }: Pick<CheckDeps, 'media'>,
  tenantId: TenantId,
  content: SendRequest['content'],
): Promise<readonly ApiProblem[]> {
  const problem = await mediaProblem(media, tenantId, { content });
  return problem === null ? [] : [problem];
}

export const NO_TEMPLATE: TemplateVerdict = { kind: 'left_to_network' };

/** What is known of the template of a request, in the account of the number that it leaves from; without a promise when remembered. */
export function evaluateTemplate(
  { templates }: Pick<CheckDeps, 'templates'>,
  tenantId: TenantId,
  { content }: SendRequest,
  networkAccountId: string | null,
): TemplateVerdict | Promise<TemplateVerdict> {
  if (content.type !== 'template') return NO_TEMPLATE;
  const { template } = content;
  const known = templates.of(tenantId);
  return known instanceof Promise
    ? known.then((cache) => cache.evaluate(networkAccountId, template))
    : known.evaluate(networkAccountId, template);
}

/** The refusal of a request for the message that it answers or reacts to; else null. */
export async function targetProblem(
  db: Database,
  tenantId: TenantId,
  request: SendRequest,
): Promise<ApiProblem | null> {
  if (request.replyTo === null) return null;
  const reacts = request.content.type === 'reaction';
  const field = reacts ? 'reaction.message_id' : 'reply_to';
  const target = await findMessage(db, tenantId, request.replyTo);
  if (target === null || !mayName(request, target.phoneNumberId)) {
    const details = [{ path: `body.${field}`, message: `${field} does not name a message of this tenant` }];
    return new ApiProblem('unknown_reply_to', {
      sentence: `${field} does not name a message of this tenant.`,
      details,
    });
  }
  const networkId = 'delivery' in target ? target.delivery.networkMessageId : target.networkMessageId;
  if (!reacts || networkId !== null) return null;
  const sentence = 'The message to react to has not reached the network yet. React once it is sent.';
  return new ApiProblem('conflict', { sentence });
}

function mayName({ knownNumbers }: Pick<SendRequest, 'knownNumbers'>, phoneNumberId: string): boolean {
  return knownNumbers === undefined || knownNumbers.includes(phoneNumberId);
}

/** The refusal of a content for the media that it names; else null. */
export async function mediaProblem(
  media: MediaCache,
  tenantId: TenantId,
  { content }: Pick<SendRequest, 'content'>,
): Promise<ApiProblem | null> {
  const refs = mediaRefs(content);
  if (refs.length === 0) return null;
  const found = await Promise.all(refs.map(async (ref) => ({ ref, known: await media.find(tenantId, ref.mediaId) })));
  const unknown = found.flatMap(({ ref, known }) => (known === null ? [unknownMedia(ref)] : []));
  if (unknown.length > 0) return mediaRefusal('unknown_media', unknown);
  const unfit = found.flatMap(({ ref, known }) =>
    known === null || known.sendableAs.includes(ref.as) ? [] : [unfitMedia(ref, known)],
  );
  return unfit.length > 0 ? mediaRefusal('media_not_sendable', unfit) : null;
}

function mediaRefusal(code: 'unknown_media' | 'media_not_sendable', details: readonly FaultDetail[]): ApiProblem {
  return new ApiProblem(code, { sentence: `${details.map((detail) => detail.message).join('; ')}.`, details });
}

function unknownMedia({ path }: MediaRef): FaultDetail {
  return { path, message: `${fieldOf(path)} does not exist or has expired` };
}

function unfitMedia({ path, as }: MediaRef, { mimeType, size }: KnownMedia): FaultDetail {
  const is = `is ${mimeType} of ${size} bytes`;
  return { path, message: `${fieldOf(path)} ${is}; the network accepts ${mediaLimits[as]} as type ${as}` };
}

/** `body.media.media_id` is called `media.media_id` in a sentence. */
function fieldOf(path: string): string {
  return path.slice('body.'.length);
}

/** "with a campaign_name the default is bulk". */
export function priorityOf({ priority, campaignName }: Pick<SendRequest, 'priority' | 'campaignName'>): Priority {
  return priority ?? (campaignName === null ? 'normal' : 'bulk');
}
