import { findOwnRetention, lockOwnRetention, saveOwnRetention } from '#access/store/tenant-retention';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { TenantId } from '#core/ids';
import {
  type DaysByKind,
  effectiveDays,
  type OwnRetention,
  type RetentionKind,
  type RetentionLimits,
  retentionKinds,
} from '#core/retention';
import type { Database, SqlRunner } from '#database/database';
import { limitsOfRetention } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';
import { audit } from './audit.ts';

/** How long data of a tenant is kept, and why. */
export interface Retention {
  readonly own: OwnRetention;
  /** What follows from that and from the limits. */
  readonly effective: DaysByKind;
  readonly limits: RetentionLimits;
}

export async function readRetention(
  rt: Pick<Runtime, 'config'>,
  db: SqlRunner,
  tenantId: TenantId,
): Promise<Retention> {
  return describe(rt, await findOwnRetention(db, tenantId));
}

/** Days of the kinds that change. Null: as the installation from now on. */
export type RetentionChanges = Partial<DaysByKind>;

/**
 * Changes how long data of a tenant is kept. What that makes too old is removed in the background.
 * @throws ApiProblem validation_failed for days outside of the limits
 */
export function changeRetention(
  rt: Runtime,
  db: Database,
  { tenantId, origin, changes }: Requester & { readonly changes: RetentionChanges },
): Promise<Retention> {
  requireWithin(limitsOfRetention(rt.config), changes);
  return db.transaction(async (tx) => {
    const before = await lockOwnRetention(tx, tenantId);
    const changed = retentionKinds.filter(
      (kind) => changes[kind] !== undefined && changes[kind] !== daysIn(before, kind),
    );
    if (changed.length === 0) return describe(rt, before);
    const own = merged(before, changes);
    await saveOwnRetention(tx, tenantId, own);
    const details = {
      before: Object.fromEntries(changed.map((kind) => [kind, daysIn(before, kind)])),
      after: Object.fromEntries(changed.map((kind) => [kind, daysIn(own, kind)])),
    };
    await audit(rt, tx, { tenantId, origin, action: 'retention.changed', targetId: tenantId, details });
    return describe(rt, own);
  });
}

function describe({ config }: Pick<Runtime, 'config'>, own: OwnRetention): Retention {
  const limits = limitsOfRetention(config);
  return { own, effective: effectiveDays(own, limits), limits };
}

function daysIn(own: OwnRetention, kind: RetentionKind): number | null {
  return own[kind] ?? null;
}

function merged(before: OwnRetention, changes: RetentionChanges): OwnRetention {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, days]) => days !== null)) as OwnRetention;
}

function requireWithin(limits: RetentionLimits, changes: RetentionChanges): void {
  const details = retentionKinds.flatMap((kind) => faultOf(limits, kind, changes[kind] ?? null));
  if (details.length === 0) return;
  const sentence = details.map(({ message }) => message).join(' ');
  throw new ApiProblem('validation_failed', { sentence, details });
}

function faultOf({ shortest, longest }: RetentionLimits, kind: RetentionKind, days: number | null): FaultDetail[] {
  const [from, to] = [shortest[kind], longest[kind]];
  if (days === null || (days >= from && (to === null || days <= to))) return [];
  const field = `${kind}_days`;
  const range = to === null ? `${from} or more` : `from ${from} to ${to}, which is what this installation keeps`;
  return [{ path: `body.${field}`, message: `${field} must be ${range}, or null.` }];
}
