import { sealAllAudit } from '#access/actions/seal-audit';
import type { TenantId } from '#core/ids';
import { tenantsNamingType } from '#webhooks/store/webhook-endpoints';
import type { TestService } from './test-service.ts';

const LEFT = {
  name: 'test_unsealed',
  text: 'select count(*)::integer as n from audit_unsealed where tenant_id = $1',
};

/** Seals what the audit log of a tenant has, and waits for what the service itself is sealing meanwhile. */
export async function sealAuditOf(kit: TestService, { tenantId }: { readonly tenantId: TenantId }): Promise<void> {
  const { rt, service } = kit;
  await sealAllAudit(rt, service.db, tenantsNamingType);
  const left = async () => (await service.db.run<{ n: number }>(LEFT, [tenantId])).rows[0]?.n;
  await kit.until(left, (n) => n === 0, 'every entry is sealed');
}
