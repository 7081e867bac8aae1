import type { PhoneNumberId, TenantId } from '#core/ids';

/** Names a lane in memory. */
export function laneKey(lane: { readonly tenantId: TenantId; readonly phoneNumberId: PhoneNumberId }): string {
  return `${lane.tenantId}/${lane.phoneNumberId}`;
}
