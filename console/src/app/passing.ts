/** What the stream tells for the moment: who looks and writes, and that somebody was notified. It is never stored. */
import { emitNotified } from './notifications/notified.ts';
import { signals } from './signals.ts';

export interface Passing {
  readonly type: string;
  readonly data: unknown;
}

/** The stream begins, or was cut: nobody knows who looks and writes. */
export const CUT: Passing = { type: 'cut', data: null };

/** What it does not know, it passes over. */
export function receivePassing({ type, data }: Passing): void {
  if (type === CUT.type) signals.clear();
  if (type === 'signal') signals.receive(data);
  if (type === 'notification') emitNotified(data);
}
