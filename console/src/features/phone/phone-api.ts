/** The simulator's customers, through the path of the service that exists only where the network is the simulator. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

export interface PhoneItem {
  readonly id: string;
  /** Seen from the customer's phone. */
  readonly direction: 'received' | 'written';
  readonly at: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly rendered: string | null;
}

export interface Behavior {
  readonly refuse: boolean;
  readonly late: boolean;
  readonly out_of_order: boolean;
  readonly read_by_hand: boolean;
}

export interface Phone {
  readonly peer: string;
  readonly name: string | null;
  readonly behavior?: Behavior;
  readonly data: readonly PhoneItem[];
}

export const phoneQuery = (peer: string) =>
  queryOptions({
    queryKey: ['phone', peer],
    queryFn: ({ signal }) => call<Phone>('/simulator/phone', { query: { peer }, signal }),
  });

export interface Written {
  readonly from: string;
  readonly name: string;
  readonly text: string;
  readonly phone_number_id?: string;
}

/** Writes to the business as this customer. */
export const writeAs = (message: Written) => call('/simulator/inbound', { method: 'POST', body: message });

export const behaveLike = (peer: string, change: Partial<Behavior>) =>
  call('/simulator/phone/behavior', { method: 'PUT', body: { peer, ...change } });

/** The words of a message in the network's format, as far as it has words. */
export function wordsOf({ message, rendered }: PhoneItem): string {
  if (rendered !== null) return rendered;
  const type = String(message.type ?? 'text');
  const part = (message[type] ?? {}) as Readonly<Record<string, unknown>>;
  const text = part.body ?? part.caption ?? part.emoji ?? part.name ?? part.filename;
  return typeof text === 'string' ? text : `[${type}]`;
}
