import { type Arena, UNKNOWN_WAIT_S } from '../arena.ts';
import type { SendRule } from '../network-chaos.ts';
import { BOTH, type FaultAction, type Repair } from './fault.ts';

const STORM_MS = 4_000;
/** Longer than the wait for an unknown outcome: some waits end during it. */
const REFUSED_MS = 2 * UNKNOWN_WAIT_S * 1000;
const LATE_MS = 3 * UNKNOWN_WAIT_S * 1000;

/** One of the tenant's numbers gets no answer at all: each of its sends holds a connection until the deadline. */
export const hangNumber: FaultAction = oneNumber({ probability: 1, fault: 'hang' });

/** The same with an answer that comes a byte at a time and never ends. */
export const dripNumber: FaultAction = oneNumber({ probability: 1, fault: 'drip', delay_ms: 500 });

/** Something between us and the network answers in its place: a proxy, a firewall, a login page. */
export const pageStorm: FaultAction = storm([
  ...[301, 302, 307, 400, 401, 403, 404, 405, 408, 413, 421, 451].map((status) => page(status, 0.08)),
  ...[500, 502, 503, 504].map((status) => page(status, 0.2)),
  page(404, 1),
]);

/** Bytes of every kind, from a network that took the message and from one that did not. */
export const randomAnswers: FaultAction = storm([
  { probability: 0.5, fault: 'garbage' },
  { probability: 1, fault: 'accept_then_garbage' },
]);

/** The network takes nothing for being asked too often, for as long as it likes. */
export const throttled: FaultAction = storm([
  { probability: 0.5, fault: 'rate_limit' },
  { probability: 1, fault: 'error', code: 80007, status: 429 },
]);

/** The access token of the tenant stops working for a while: the network says so itself. */
export const tokenRefused: FaultAction = {
  databases: BOTH,
  isApart: true,
  lasts: () => STORM_MS,
  inflict: async (arena) => {
    const refusal = { probability: 1, fault: 'error', code: 190, status: 401 };
    const undo = await arena.disturbSends(arena.phoneNumberIds.map((id) => ({ ...refusal, phone_number_id: id })));
    return async () => {
      await undo();
      await arena.resumeNumbers();
    };
  },
};

/** Our secret is not the network's, as after a rotation that only one side made: every callback is refused. */
export const callbacksRefused: FaultAction = {
  databases: BOTH,
  lasts: () => REFUSED_MS,
  inflict: (arena) => arena.changeSecret(),
};

/** Statuses come when everybody has stopped waiting for them: three times as late as the wait for an unknown outcome. */
export const statusesLate: FaultAction = {
  databases: BOTH,
  lasts: () => STORM_MS,
  inflict: (arena) => arena.disturbStatuses([{ probability: 1, fault: 'delay', delay_ms: LATE_MS }]),
};

function page(status: number, probability: number): SendRule {
  return { probability, fault: 'non_json', status };
}

function oneNumber(rule: SendRule): FaultAction {
  return {
    databases: BOTH,
    lasts: () => STORM_MS,
    isApart: true,
    inflict: (arena) => arena.disturbSends([{ ...rule, phone_number_id: arena.phoneNumberIds[0] ?? '' }]),
  };
}

function storm(rules: readonly SendRule[]): FaultAction {
  const inflict = (arena: Arena): Promise<Repair> => arena.disturbSends(rules);
  return { databases: BOTH, lasts: () => STORM_MS, inflict };
}
