import type { Campaign, CampaignRecipient } from '#core/campaign';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '../validation/rfc3339.ts';

export function presentCampaign(campaign: Campaign): JsonObject {
  const { total, accepted, skipped, template } = campaign;
  return {
    id: campaign.campaignId,
    name: campaign.name,
    status: campaign.status,
    pause_reason: campaign.pauseReason,
    phone_number_id: campaign.phoneNumberId,
    template: { ...template } as JsonObject,
    send_at: timeOrNull(campaign.sendAtMs),
    recipients: { total, waiting: total - accepted - skipped, accepted, skipped },
    version: campaign.version,
    created_at: formatRfc3339(campaign.createdMs),
    updated_at: formatRfc3339(campaign.updatedMs),
    started_at: timeOrNull(campaign.startedMs),
    finished_at: timeOrNull(campaign.finishedMs),
  };
}

export function presentRecipient({ phone, status, messageId, reason, variables }: CampaignRecipient): JsonObject {
  return {
    to: phone,
    status,
    message_id: status === 'accepted' ? messageId : null,
    reason: reason && { code: reason.code, message: reason.message },
    variables,
  };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}
