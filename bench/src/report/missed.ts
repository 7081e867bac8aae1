import type { Figure } from '../figure.ts';

const ALL_BUSY =
  'The cores run the service, PostgreSQL, the simulated network and the callers together; `floor` compares what a message costs with what it must cost';

/** What holds a figure below its limit, as far as it was found, by its name. */
const REASONS: Readonly<Record<string, string>> = {
  'end to end, steady': ALL_BUSY,
  'draining a backlog': ALL_BUSY,
  'server CPU per message ÷ the same HTTP work without storage':
    'Nothing stands out: a fifth of the time writes to sockets, a seventh collects garbage, and no other function has more than 4 %',
  'whole way ÷ the same HTTP work without storage': 'It follows from the CPU time of the service and of the database',
  'log (WAL) per message':
    "The message's own row with its updates takes 1.2 kB, entries in indexes 0.8 and the queue of callbacks 0.6 (decision 0101)",
};

const UNKNOWN = 'Not explained yet';

/** Why a figure missed its limit; for one that was reached, or has none, an empty text. */
export function whyMissed({ name, pass }: Pick<Figure, 'name' | 'pass'>): string {
  return pass === false ? (REASONS[name] ?? UNKNOWN) : '';
}
