import { verifyAudit } from '#access/actions/verify-audit';
import type { OperatorCommand } from './command.ts';
import { optionalText, tenantOf } from './input.ts';

/** Follows the chains of hashes over the audit log, of one tenant or of all. */
export const verifyAuditCommand: OperatorCommand = async ({ db }, input) => {
  const tenantId = optionalText(input, 'tenant') === null ? null : await tenantOf(db, input);
  const { entries, faults } = await verifyAudit(db, tenantId);
  return { entries, data: faults.map(({ tenantId: tenant, seq, fault }) => ({ tenant, seq, fault })) };
};
