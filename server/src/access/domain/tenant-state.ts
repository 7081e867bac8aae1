/** `suspended`: the operator stopped it, and may resume it. `deleting`: it is being removed for good. */
export type TenantState = 'active' | 'suspended' | 'deleting';

/** Why nothing of a tenant is answered and nothing leaves; null while it is active. */
export function suspensionSentence(state: TenantState, reason: string | null): string | null {
  if (state === 'active') return null;
  if (state === 'deleting') return 'This tenant is being deleted.';
  return `This tenant is suspended${reason === null ? '' : `: ${reason.replace(/\.$/, '')}`}. Ask the operator of this service.`;
}
