import type { PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { LaneNotifier } from './accept-message.ts';

const CHANNEL = 'postrider_lanes';
/** At most 20 notifications a second and process: a NOTIFY per commit would serialise all commits. */
const COALESCE_MS = 50;
/** A notification carries at most 8,000 bytes; the poll finds the rest. */
const MAX_LANES_PER_NOTICE = 90;

export interface LaneNotifierLine {
  readonly notifyLane: LaneNotifier;
  close(): Promise<void>;
}

/**
 * Notifies dispatchers that a lane has work: in this process by a call, in others by a coalesced NOTIFY outside of any
 * transaction. Nothing depends on it: the poll finds the same work a little later.
 */
export async function makeLaneNotifier(
  rt: Runtime,
  db: Database,
  wake: LaneNotifier | null,
): Promise<LaneNotifierLine> {
  const waiting = new Set<string>();
  let cancel: (() => void) | null = null;
  const send = () => {
    cancel = null;
    const lanes = [...waiting].slice(0, MAX_LANES_PER_NOTICE);
    waiting.clear();
    db.notify(CHANNEL, lanes.join(',')).catch((error: Error) =>
      rt.log.debug({ error: error.message }, 'lane_notifier.failed'),
    );
  };
  const unlisten = wake === null ? null : await db.listen(CHANNEL, (payload) => wakeAll(payload, wake));
  const notifyLane: LaneNotifier = (tenantId, phoneNumberId) => {
    wake?.(tenantId, phoneNumberId);
    if (db.kind === 'pglite') return;
    waiting.add(`${tenantId}/${phoneNumberId}`);
    cancel ??= rt.clock.after(COALESCE_MS, send);
  };
  return {
    notifyLane,
    close: async () => {
      cancel?.();
      await unlisten?.();
    },
  };
}

function wakeAll(payload: string, wake: LaneNotifier): void {
  for (const lane of payload.split(',')) {
    const [tenantId, phoneNumberId] = lane.split('/');
    if (tenantId && phoneNumberId) wake(tenantId as TenantId, phoneNumberId as PhoneNumberId);
  }
}
