import { verifyAudit } from '#access/actions/verify-audit';
import { EXIT } from '#cli/exit';
import { itemsOf, table } from '#cli/output';
import type { OperatorGroup } from './command.ts';
import { tenantIfNamed } from './input.ts';

export const auditCommands: OperatorGroup = {
  name: 'audit',
  description: 'verify the audit log',
  examples: `
Each entry of the audit log has a hash that also covers all entries before it. This command verifies the hashes and exits with 1
if an entry was changed, removed or added by anyone but the service. The log of the service contains the end of each chain
(audit.sealed): compare it with the copy on your log server to detect that a whole chain was rewritten.

Examples:
  postrider audit verify
  postrider audit verify --tenant "Flower shop" -o json`,
  commands: {
    verify: {
      description: 'verify the hash chain of the entries',
      options: { tenant: ['--tenant <id|name>', 'only this tenant'] },
      work: async ({ db }, input) => {
        const { entries, faults } = await verifyAudit(db, await tenantIfNamed(db, input));
        return { entries, data: faults.map(({ tenantId: tenant, seq, fault }) => ({ tenant, seq, fault })) };
      },
      show: table(
        ({ entries }) => `${entries} entries are unchanged.`,
        [
          { title: 'TENANT', value: (row) => row.tenant },
          { title: 'SEQ', value: (row) => row.seq, align: 'right' },
          { title: 'FAULT', value: (row) => row.fault },
        ],
      ),
      judge: (_ctx, answer) => (itemsOf(answer).length === 0 ? EXIT.ok : EXIT.failure),
    },
  },
};
