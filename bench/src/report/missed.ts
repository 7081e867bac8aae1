import type { Figure } from '../figure.ts';

const ALL_BUSY =
  'The cores run the service, PostgreSQL, the simulated network and the callers together; `floor` compares what a message costs with what it must cost';

/** What holds a figure below its limit, as far as it was found, by its name. */
const REASONS: Readonly<Record<string, string>> = {
  'durable accept of mixed types ÷ of text':
    'Other types have more to check and to store, and the embedded database does that in the process of the service',
  'end to end, steady': ALL_BUSY,
  'draining a backlog': ALL_BUSY,
  '5000 numbers with a message each at once, post → network, slowest': ALL_BUSY,
  'server CPU per message ÷ the same HTTP work without storage':
    'Nothing stands out: a fifth of the time writes to sockets, a seventh collects garbage, and no other function has more than 4 %',
  'database CPU per message ÷ its plain rows':
    'Plain rows are written 64 messages at a time; at this rate the service has 10 to 20 at a time, and with as few plain rows cost 1.5 to 2.3 times as much (decision 0103)',
  'whole way ÷ the same HTTP work without storage': 'It follows from the CPU time of the service and of the database',
  'log (WAL) per message':
    "The message's own row with its updates takes 1.0 kB, entries in indexes 0.7 and the queue of callbacks 0.6 (decisions 0101 and 0103)",
};

const UNKNOWN = 'Not explained yet';

/** Why a figure missed its limit; for one that was reached, or has none, an empty text. */
export function whyMissed({ name, pass }: Pick<Figure, 'name' | 'pass'>): string {
  return pass === false ? (REASONS[name] ?? UNKNOWN) : '';
}
