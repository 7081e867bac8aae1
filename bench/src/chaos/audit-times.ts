import { type Indexed, promisedIds } from './audit.ts';
import type { Violation } from './evidence.ts';

/** Clocks of one machine, and the part of a second that a time in the API does not have. */
const TOLERANCE_MS = 250;

/** A message that was to be sent at a time leaves no sooner. */
export function checkTimes({ client, accepts }: Indexed): readonly Violation[] {
  return client.flatMap((message): readonly Violation[] => {
    const { sendAtMs, clientRef } = message;
    if (sendAtMs === null) return [];
    return promisedIds(message).flatMap((id): Violation[] => {
      const earlyMs = sendAtMs - (accepts.get(id)?.[0]?.acceptedAtMs ?? sendAtMs);
      return earlyMs > TOLERANCE_MS
        ? [{ kind: 'early', what: `${clientRef} left ${earlyMs} ms before its time.` }]
        : [];
    });
  });
}
