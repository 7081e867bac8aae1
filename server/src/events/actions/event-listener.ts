import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

const CHANNEL = 'postrider_events';
/** At most 20 notifications a second and process: a NOTIFY per commit would serialise all commits. */
const COALESCE_MS = 50;
/** A notification carries at most 8,000 bytes; the poll finds the rest. */
const MAX_TENANTS_PER_NOTICE = 150;

/**
 * Carries the event signal to other processes by a coalesced NOTIFY, and theirs to this one. Nothing depends on it:
 * readers poll, and find the same events a little later.
 * @returns closes the line
 */
export async function openEventListener(rt: Runtime, db: Database): Promise<() => Promise<void>> {
  if (db.kind === 'pglite') return async () => undefined;
  // A process receives its own notifications too; it has already handled the signal.
  const sender = rt.newId<string>();
  const waiting = new Set<TenantId>();
  let cancel: (() => void) | null = null;
  const send = (): void => {
    cancel = null;
    const tenants = [...waiting].slice(0, MAX_TENANTS_PER_NOTICE);
    waiting.clear();
    db.notify(CHANNEL, `${sender}:${tenants.join(',')}`).catch((error: Error) =>
      rt.log.debug({ error: error.message }, 'event_line.failed'),
    );
  };
  const unlisten = await db.listen(CHANNEL, (payload) => {
    const [from, tenants = ''] = payload.split(':');
    if (from !== sender) rt.eventSignal.notify(new Set(tenants.split(',') as TenantId[]), 'elsewhere');
  });
  const stop = rt.eventSignal.listen((tenantIds, origin) => {
    if (origin === 'elsewhere') return;
    for (const tenantId of tenantIds) waiting.add(tenantId);
    cancel ??= rt.clock.after(COALESCE_MS, send);
  });
  return async () => {
    stop();
    cancel?.();
    await unlisten?.();
  };
}
