import { expect } from 'vitest';

/** A line of the ledger as `GET /v1/wallet/transactions` shows it. */
export interface Line {
  readonly id: string;
  readonly kind: 'topup' | 'hold' | 'capture' | 'release' | 'adjustment';
  readonly amount_micros: number;
  readonly balance_after_micros: number;
  readonly message_id: string | null;
}

/** Micros of all accounts, the world outside and ours among them. */
export interface Accounts {
  readonly cash: number;
  readonly available: number;
  readonly held: number;
  readonly revenue: number;
}

type Account = keyof Accounts;

const ROUTES: Readonly<Record<Line['kind'], readonly [from: Account, to: Account]>> = {
  topup: ['cash', 'available'],
  hold: ['available', 'held'],
  capture: ['held', 'revenue'],
  release: ['held', 'available'],
  // A negative amount took something, so this direction fits both.
  adjustment: ['revenue', 'available'],
};

/**
 * Replays the lines of one tenant, the oldest first, and holds each to the rules: nothing below zero at any point,
 * the balance that the line names, one hold per message, and what was held ends once and wholly.
 */
export function replayLedger(lines: readonly Line[]): Accounts {
  const accounts = { cash: 0, available: 0, held: 0, revenue: 0 };
  const holds = new Map<string, { held: number; kinds: Set<string>; left: number }>();
  for (const line of lines) {
    const [from, to] = ROUTES[line.kind];
    accounts[from] -= line.amount_micros;
    accounts[to] += line.amount_micros;
    expect(accounts.available, `available after ${line.id}`).toBeGreaterThanOrEqual(0);
    expect(accounts.held, `held after ${line.id}`).toBeGreaterThanOrEqual(0);
    expect(line.balance_after_micros, `balance of ${line.id}`).toBe(accounts.available + accounts.held);
    if (line.message_id !== null && line.kind !== 'adjustment') postToHold(holds, line.message_id, line);
  }
  for (const [messageId, { held, kinds, left }] of holds) {
    expect([0, held], `what is left of the hold of ${messageId}`).toContain(left);
    expect(kinds.has('hold'), messageId).toBe(true);
  }
  expect(accounts.cash + accounts.available + accounts.held + accounts.revenue).toBe(0);
  return accounts;
}

type Holds = Map<string, { held: number; kinds: Set<string>; left: number }>;

function postToHold(holds: Holds, messageId: string, { kind, amount_micros: amount }: Line): void {
  const hold = holds.get(messageId) ?? { held: 0, kinds: new Set<string>(), left: 0 };
  expect(hold.kinds.has(kind), `a second ${kind} of ${messageId}`).toBe(false);
  hold.kinds.add(kind);
  if (kind === 'hold') hold.held = amount;
  hold.left += kind === 'hold' ? amount : -amount;
  holds.set(messageId, hold);
}
