import { openHours } from '#agents/domain/business-hours';
import { findHoursOfNumber, findHoursOfTeam } from '#agents/store/business-hours';
import type { Conversation } from '#conversations/domain/conversation';
import { type Timing, timingBetween } from '#conversations/domain/conversation-timing';
import type { Transaction } from '#database/database';

/**
 * How long something in a conversation took until now, also in business hours: those of the team that has it, else of its
 * number, else the tenant's default ones. Measured when it is done: hours that are changed later change nothing.
 */
export async function measureTime(
  tx: Transaction,
  { tenantId, teamId, phoneNumberId }: Pick<Conversation, 'tenantId' | 'teamId' | 'phoneNumberId'>,
  sinceMs: number,
  nowMs: number,
): Promise<Timing> {
  const hours =
    teamId === null
      ? await findHoursOfNumber(tx, tenantId, phoneNumberId)
      : await findHoursOfTeam(tx, tenantId, teamId);
  return timingBetween(hours === null ? null : openHours(hours), sinceMs, nowMs);
}
