import { findFence, isDistributed } from '#cells/store/fence';
import { findTakenEmails, listPeople } from '#cells/store/moved-people';
import { findResidents, listNumbers } from '#cells/store/residents';
import { readSchemaVersion } from '#cells/store/schema-version';
import type { TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import { checkHealth } from '#database/health';
import type { OpenCell } from './cell-locator.ts';

/** A tenant on its way, and the two cells. */
export interface Journey {
  readonly tenantId: TenantId;
  readonly from: OpenCell;
  readonly to: OpenCell;
}

/** What can be known before anything is done. @throws OperatorError */
export async function requireMovable(journey: Journey): Promise<void> {
  const { tenantId, from, to } = journey;
  for (const { cellId, db } of [from, to])
    if (!(await checkHealth(db)).ok) throw new OperatorError(`The cell ${cellId} cannot be reached. Nothing was done.`);
  const [ours, theirs] = [await readSchemaVersion(from.db), await readSchemaVersion(to.db)];
  if (ours !== theirs)
    throw new OperatorError(
      `The cell ${from.cellId} has the schema ${ours}, and ${to.cellId} has ${theirs}. Run "postrider migrate" first.`,
    );
  for (const { cellId, db } of [from, to])
    if (await isDistributed(db))
      throw new OperatorError(
        `Citus distributes the cell ${cellId}, which takes no triggers: no tenant moves from or to it.`,
      );
  const tenant = await findFence(from.db, tenantId);
  if (tenant === null) throw new OperatorError('The tenant does not exist.');
  if (tenant.state === 'deleting') throw new OperatorError('The tenant is being deleted.');
  const there = await findFence(to.db, tenantId);
  if (there !== null && there.fence !== 'skip')
    throw new OperatorError(`The tenant is in ${from.cellId} and in ${to.cellId}. Run "postrider cells check".`);
  await requireFreeNames(journey);
}

/** Numbers and email addresses are each one's own within a cell. @throws OperatorError */
export async function requireFreeNames({ tenantId, from, to }: Journey): Promise<void> {
  const own = (await listNumbers(from.db)).filter((number) => number.tenantId === tenantId).map(({ name }) => name);
  const taken = (await findResidents(to.db, 'number', own)).filter((number) => number.tenantId !== tenantId);
  if (taken[0])
    throw new OperatorError(`The number ${taken[0].name} belongs to another tenant in the cell ${to.cellId}.`);
  const [email] = await findTakenEmails(from.db, to.db, await listPeople(from.db, tenantId));
  if (email !== undefined)
    throw new OperatorError(`The email address ${email} belongs to another account in the cell ${to.cellId}.`);
}
