import { readAudience } from '#campaigns/actions/manage-campaigns';
import type { Audience } from '#campaigns/domain/campaign';
import { type Breaker, DEFAULT_BREAKER } from '#campaigns/domain/campaign-breaker';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';

interface Bodies {
  readonly audience?: { readonly segment_id?: string; readonly when?: JsonObject } | null;
  readonly breaker?: { readonly percent: number; readonly of?: number } | null;
}

interface Given {
  readonly audience?: Audience | null;
  readonly breaker?: Breaker | null;
}

/** What a body says of audience and breaker. @throws ApiProblem unknown_segment, validation_failed */
export async function givenAudience(db: Database, tenantId: TenantId, body: Bodies): Promise<Given> {
  const { audience, breaker } = body;
  const wished =
    audience &&
    (await readAudience(db, tenantId, { segmentId: audience.segment_id?.toLowerCase(), condition: audience.when }));
  return {
    ...(wished === undefined ? {} : { audience: wished }),
    ...(breaker === undefined
      ? {}
      : { breaker: breaker && { percent: breaker.percent, of: breaker.of ?? DEFAULT_BREAKER.of } }),
  };
}

/** The same of a new campaign. */
export async function audienceAndBreaker(
  db: Database,
  tenantId: TenantId,
  body: Bodies,
): Promise<{ readonly audience: Audience | null; readonly breaker: Breaker | null }> {
  const { audience = null, breaker = DEFAULT_BREAKER } = await givenAudience(db, tenantId, body);
  return { audience, breaker };
}
