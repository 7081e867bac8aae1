import type { Preflight } from '#campaigns/actions/preflight-campaign';
import { type Campaign, ERASED_RECIPIENT } from '#campaigns/domain/campaign';
import type { RecipientResult } from '#campaigns/store/campaign-results';
import type { JsonObject } from '#core/json';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';

export function presentCampaign(campaign: Campaign): JsonObject {
  const { total, accepted, skipped, sent, failed, template, audience, breaker } = campaign;
  const queued = accepted - sent - failed;
  return {
    id: campaign.campaignId,
    name: campaign.name,
    status: campaign.status,
    pause_reason: campaign.pauseReason,
    phone_number_id: campaign.phoneNumberId,
    template: { ...template } as JsonObject,
    send_at: timeOrNull(campaign.sendAtMs),
    audience: audience && {
      segment_id: audience.segmentId,
      when: audience.condition,
      left_out: campaign.progress.leftOut,
    },
    breaker: breaker && { percent: breaker.percent, of: breaker.of },
    recipients: { total, waiting: total - accepted - skipped, accepted, queued, sent, failed, skipped },
    version: campaign.version,
    created_at: formatRfc3339(campaign.createdMs),
    updated_at: formatRfc3339(campaign.updatedMs),
    started_at: timeOrNull(campaign.startedMs),
    finished_at: timeOrNull(campaign.finishedMs),
  };
}

/** Has a message: of the others an id may be decided that nothing was accepted under. */
const HAS_MESSAGE: ReadonlySet<string> = new Set(['accepted', 'sent', 'failed']);

export function presentRecipient(result: RecipientResult): JsonObject {
  const { phone, status, messageId, reason, variables } = result;
  const has = HAS_MESSAGE.has(status);
  return {
    to: phone.startsWith(ERASED_RECIPIENT) ? null : phone,
    status,
    message_id: has ? messageId : null,
    reason: reason && { code: reason.code, message: reason.message },
    sent_at: has ? timeOrNull(result.sentMs) : null,
    delivered_at: has ? timeOrNull(result.deliveredMs) : null,
    read_at: has ? timeOrNull(result.readMs) : null,
    variables,
  };
}

/** @param currency of the price list */
export function presentPreflight(found: Preflight, currency: string): JsonObject {
  const { recipients, checked, wouldSend, wouldSkip, blockers, warnings, category, costMicros, etaS } = found;
  return {
    recipients,
    checked,
    would_send: wouldSend,
    would_skip: [...wouldSkip].map(([code, count]) => ({ code, count })),
    blockers: blockers.map(({ code, message }) => ({ code, message })),
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    category,
    estimated_cost: costMicros === null ? null : { amount_micros: costMicros, currency },
    eta_s: etaS,
  };
}
