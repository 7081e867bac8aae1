import type { ViolationKind } from './evidence.ts';
import type { Fault } from './faults/all.ts';
import type { ChaosResult, RoundResult } from './run-chaos.ts';

const WIDTH = 78;
const EXAMPLES = 5;

/** What each kind of violation means to a reader. */
const QUESTIONS: Readonly<Record<ViolationKind, string>> = {
  lost: 'answered with 202 and lost',
  duplicate: 'sent twice without a reason',
  unrecorded: 'sent and not recorded',
  idempotency: 'keys with two messages',
  order: 'overtaken within a recipient',
  delivery_state: 'with a wrong delivery state',
  inbound: 'inbound not stored exactly once',
  conversation: 'contacts with two open conversations',
  slowed: "slowed by another tenant's fault",
  early: 'sent before the time that they were to be sent at',
  suspended: 'sent while their tenant was suspended',
  not_at_rest: 'still waiting at the end',
  not_recovered: 'rounds after which a number sent nothing any more',
  crash: 'processes that ended by themselves',
};

/** The outcome of a run as a block of text. */
export function certificate(result: ChaosResult, commit: string): string {
  const { database, seed, rounds, report } = result;
  const { counts, violations } = report;
  const passed = violations.length === 0;
  const lines = [
    `${passed ? 'PASSED' : 'FAILED'}  chaos on ${database}, ${rounds.length} rounds, seed ${seed}, commit ${commit}`,
    '',
    fact('messages posted / answered with 202', `${counts.posted} / ${counts.accepted}`),
    fact('accepted by the network', String(counts.ledger)),
    fact('statuses told, inbound messages', `${counts.statusesReported}, ${counts.inbound}`),
    fact('sent again after the wait, as announced', String(counts.explainedDuplicates)),
    fact('given up as unknown after that copy, as announced', String(counts.givenUp)),
    '',
    ...Object.entries(QUESTIONS).map(([kind, question]) =>
      fact(question, String(violations.filter((one) => one.kind === kind).length)),
    ),
    '',
    ...recoveries(rounds),
    ...(passed ? [] : ['', ...violations.slice(0, EXAMPLES).map(({ kind, what }) => `${kind}: ${what}`)]),
  ];
  const rule = '─'.repeat(WIDTH);
  return [rule, ...lines.map((line) => ` ${line}`.trimEnd()), rule].join('\n');
}

function fact(name: string, value: string): string {
  return `${name} ${'.'.repeat(Math.max(2, WIDTH - name.length - value.length - 5))} ${value}`;
}

/** Recovery of one kind of fault: from the start of the repair until every number has sent again, milliseconds. */
export interface Recovery {
  readonly fault: Fault;
  readonly rounds: number;
  readonly medianMs: number;
  readonly maxMs: number;
  /** Rounds in which nothing was sent any more within the time that was watched. */
  readonly never: number;
}

export function recoveriesOf(rounds: readonly RoundResult[]): readonly Recovery[] {
  const faults = [...new Set(rounds.map(({ plan }) => plan.fault))].toSorted();
  return faults.map((fault) => {
    const all = rounds.filter(({ plan }) => plan.fault === fault);
    const times = all.flatMap(({ recoveryMs }) => (recoveryMs === null ? [] : [recoveryMs])).toSorted((a, b) => a - b);
    const medianMs = times[Math.floor((times.length - 1) / 2)] ?? 0;
    return { fault, rounds: all.length, medianMs, maxMs: times.at(-1) ?? 0, never: all.length - times.length };
  });
}

function recoveries(rounds: readonly RoundResult[]): readonly string[] {
  return recoveriesOf(rounds).map(({ fault, rounds: count, medianMs, maxMs, never }) =>
    fact(
      `sends again after ${fault} (${count}×), median / longest`,
      `${medianMs} / ${maxMs} ms${never > 0 ? `, ${never} never` : ''}`,
    ),
  );
}
