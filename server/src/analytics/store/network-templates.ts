import type { TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

/** A template as the network and people call it. */
export interface TemplateBrief {
  readonly networkTemplateId: string;
  readonly name: string;
  readonly language: string;
}

const BY_NAMES = statement('analytics_network_templates')`
select network_template_id, name, language from templates
where tenant_id = $1 and network_account_id = $2 and name = any($3::text[]) and deleted_ms is null
  and network_template_id is not null
order by name, language`;

/** The templates of an account with these names that the network knows, in all languages. */
export async function listNetworkTemplates(
  db: SqlRunner,
  { tenantId, networkAccountId }: { readonly tenantId: TenantId; readonly networkAccountId: string },
  names: readonly string[],
): Promise<readonly TemplateBrief[]> {
  return (await db.run<TemplateBrief>(BY_NAMES, [tenantId, networkAccountId, [...names]])).rows;
}
