import type { Indexed } from './audit.ts';
import type { Violation } from './evidence.ts';

/** What customers wrote is stored exactly once, and each has at most one open conversation per number. */
export function checkInbound({ inbound, database }: Indexed): readonly Violation[] {
  const stored = new Map<string, number>();
  for (const networkId of database.inbound) stored.set(networkId, (stored.get(networkId) ?? 0) + 1);
  const counted = inbound.flatMap(({ networkId }): Violation[] => {
    const count = stored.get(networkId) ?? 0;
    if (count === 1) return [];
    return [{ kind: 'inbound', what: `The customer's message ${networkId} is stored ${count} times.` }];
  });
  const double = database.doubleConversations.map(
    ({ contactId, phoneNumberId, count }): Violation => ({
      kind: 'conversation',
      what: `Contact ${contactId} has ${count} open conversations with number ${phoneNumberId}.`,
    }),
  );
  return [...counted, ...double];
}
