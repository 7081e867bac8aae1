import type { TenantRefusal } from '#core/caller/principal';

/** `suspended`: the operator stopped it, and may resume it. `deleting`: it is being removed for good. */
export type TenantState = 'active' | 'suspended' | 'deleting';

/**
 * How far a tenant is on its way from or to another cell. `drain`: it is about to leave, and what is under way ends; `refuse`: nothing of it can
 * be written in this cell any more; `skip`: it is being copied into this cell, in which nobody else has to do with it yet.
 */
export type TenantFence = 'drain' | 'refuse' | 'skip';

/** What is known of a tenant wherever somebody asks for it. */
export interface TenantCondition {
  readonly state: TenantState;
  readonly stateReason: string | null;
  /** Null: it does not move. */
  readonly fence: TenantFence | null;
}

/** Why nothing of a tenant is answered; null while it is active. */
export function refusalOf({ state, stateReason, fence }: TenantCondition): TenantRefusal | null {
  if (state !== 'active') return { code: 'tenant_suspended', sentence: suspensionSentence(state, stateReason) };
  return fence === null ? null : { code: 'tenant_moving' };
}

function suspensionSentence(state: Exclude<TenantState, 'active'>, reason: string | null): string {
  if (state === 'deleting') return 'This tenant is being deleted.';
  return `This tenant is suspended${reason === null ? '' : `: ${reason.replace(/\.$/, '')}`}. Ask the operator of this service.`;
}
