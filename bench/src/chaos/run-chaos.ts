import { copyServer, type Programs } from '../harness/paths.ts';
import { pause, pollUntil } from '../harness/pause.ts';
import type { Postgres } from '../harness/postgres.ts';
import type { Program } from '../harness/process.ts';
import type { SmallDisk } from '../harness/small-disk.ts';
import type { DatabaseKind } from '../harness/stage.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { type Random, seededRandom } from '../random.ts';
import { type Arena, openArena, UNKNOWN_RESENDS, UNKNOWN_WAIT_S } from './arena.ts';
import { type AuditReport, audit } from './audit.ts';
import { type ClientLog, runClient } from './client.ts';
import type { Evidence, LedgerEntry, Violation } from './evidence.ts';
import { FAULTS, type Fault } from './faults/all.ts';
import type { FaultAction } from './faults/fault.ts';
import { inflict } from './inflict.ts';
import { readLedger } from './ledger.ts';
import { type NeighbourPost, runNeighbour } from './neighbour.ts';
import { networkChaos, type StatusDelays } from './network-chaos.ts';
import { planRounds, type RoundPlan } from './plan.ts';
import { untilAtRest } from './rest.ts';
import { readEvidence } from './snapshot.ts';

export interface ChaosSpec {
  readonly programs: Programs;
  readonly database: DatabaseKind;
  /** One that may be killed; null on the embedded database. */
  readonly postgres: Postgres | null;
  /** What the database lies on; absent: a folder like any other. */
  readonly disk?: SmallDisk | null;
  readonly rounds: number;
  readonly seed: number;
  /** Faults to choose from; absent: all that the database allows. */
  readonly faults?: readonly Fault[];
  /** Absent: soon after the accept. */
  readonly statusDelays?: StatusDelays;
  /** Rounds between two audits; the last round is always audited. */
  readonly auditEvery: number;
  /** Leaves ledger and logs behind, and says where. */
  readonly keep: boolean;
  readonly say: (line: string) => void;
}

export interface RoundResult {
  readonly plan: RoundPlan;
  /** From the start of the repair until every number has sent again; null when one did not. */
  readonly recoveryMs: number | null;
}

export interface ChaosResult {
  readonly database: DatabaseKind;
  readonly seed: number;
  readonly unknownWaitS: number;
  readonly rounds: readonly RoundResult[];
  readonly report: AuditReport;
}

const LOAD_MS = 2_500;
/** The load continues for a while when the fault is over: the recovery is measured by it. */
const LOAD_AFTER_MS = 500;

/** Runs rounds until the plan is done or an audit finds something. */
export async function runChaos(spec: ChaosSpec): Promise<ChaosResult> {
  const workspace = makeWorkspace(spec.keep);
  if (spec.keep) spec.say(`  logs in ${workspace.folder}`);
  const random = seededRandom(spec.seed);
  try {
    const programs = copyServer(spec.programs, workspace.folder);
    const arena = await openArena({ ...spec, programs, workspace });
    const log: ClientLog = { messages: [], inbound: [] };
    const beside: NeighbourPost[] = [];
    const run: Run = { spec, arena, random, log, beside, starts: [], rounds: [], found: [] };
    let report = EMPTY;
    for (const plan of planRounds(spec.database, spec.rounds, random, spec.faults)) {
      const atRest = await runRound(run, plan).catch((error: unknown) => {
        workspace.retain();
        const where = `round ${plan.round + 1} (${plan.fault}) broke off`;
        throw new Error(`${where}: ${whoIsThere(arena)}; the logs are in ${workspace.folder}`, { cause: error });
      });
      const due = !atRest || (plan.round + 1) % spec.auditEvery === 0 || plan.round + 1 === spec.rounds;
      if (due) report = await auditNow(run, plan.round + 1 < spec.rounds);
      if (report.violations.length > 0) break;
    }
    await arena.close();
    return { database: spec.database, seed: spec.seed, unknownWaitS: UNKNOWN_WAIT_S, rounds: run.rounds, report };
  } finally {
    await workspace.close();
  }
}

/** For the report of a run that broke off: which of its processes are gone. */
function whoIsThere({ simulator, server, second }: Arena): string {
  const outputOf = (name: string, program: Program | null): string =>
    `${name} ${program === null ? 'was never there' : program.isGone() ? 'is gone' : 'runs'}`;
  return [
    outputOf('the simulator', simulator),
    outputOf('the server', server),
    outputOf('the second dispatcher', second),
  ].join(', ');
}

const EMPTY: AuditReport = {
  violations: [],
  counts: { posted: 0, accepted: 0, ledger: 0, explainedDuplicates: 0, givenUp: 0, inbound: 0, statusesReported: 0 },
};

interface Run {
  readonly spec: ChaosSpec;
  readonly arena: Arena;
  readonly random: Random;
  readonly log: ClientLog;
  readonly beside: NeighbourPost[];
  readonly starts: { readonly atMs: number; readonly losesStatuses: boolean }[];
  readonly rounds: RoundResult[];
  /** What the rounds themselves found. */
  readonly found: Violation[];
}

/** @returns false when the service did not come to rest: the audit will say what is missing */
async function runRound(run: Run, plan: RoundPlan): Promise<boolean> {
  const { spec, arena, random, log, beside, starts, rounds } = run;
  starts.push({ atMs: Date.now(), losesStatuses: plan.losesStatuses });
  await arena.disturbNetwork(networkChaos(plan, arena.phoneNumberIds));
  const client = {
    serverUrl: arena.serverUrl,
    simulator: arena.simulator,
    phoneNumberIds: arena.phoneNumberIds,
    random,
    round: plan.round,
    log,
  };
  const calmUntilMs = Date.now() + plan.faultAfterMs;
  const endMs = performance.now() + LOAD_MS;
  let stopMs = Number.POSITIVE_INFINITY;
  const inflicted = inflict(arena, plan, random).finally(() => {
    stopMs = Math.max(endMs, performance.now() + LOAD_AFTER_MS);
  });
  const going = (): boolean => performance.now() < stopMs;
  const { serverUrl, neighbour } = arena;
  const isApart = isApartFrom(plan.fault);
  const loaded = Promise.all([
    runClient(client, going),
    runNeighbour({ serverUrl, neighbour, round: plan.round, isApart, calmUntilMs, log: beside }, going),
  ]);
  const [repairedMs] = await Promise.all([inflicted, loaded, inflicted.then(() => reviveUntil(run, plan, loaded))]);
  const recoveryMs = await recovery(arena, repairedMs);
  const atRest = await untilAtRest(arena).then(
    () => true,
    (error: Error) => {
      spec.say(`  ${error.message}`);
      return false;
    },
  );
  rounds.push({ plan, recoveryMs });
  if (recoveryMs === null) run.found.push(notRecovered(plan));
  spec.say(
    `  round ${plan.round + 1}/${spec.rounds} ${plan.fault}${plan.losesStatuses ? ', statuses lost' : ''}: all numbers send after ${recoveryMs ?? '–'} ms`,
  );
  return atRest;
}

function notRecovered({ round, fault }: RoundPlan): Violation {
  const within = `${RECOVERY_WITHIN_MS / 1000} s after the repair`;
  return { kind: 'not_recovered', what: `In round ${round + 1} (${fault}) a number had sent nothing ${within}.` };
}

function isApartFrom(fault: Fault): boolean {
  const { isApart = false }: FaultAction = FAULTS[fault];
  return isApart;
}

const WATCH_EVERY_MS = 200;

/**
 * Once the fault is repaired no process may end unasked; one that does is recorded and started again, so that the round
 * continues.
 */
async function reviveUntil({ arena, found, spec }: Run, plan: RoundPlan, done: Promise<unknown>): Promise<void> {
  let over = false;
  void done.finally(() => {
    over = true;
  });
  while (!over) {
    for (const name of await arena.reviveCrashed()) {
      found.push({ kind: 'crash', what: `${name} ended by itself in round ${plan.round + 1} (${plan.fault}).` });
      spec.say(`  ${name} ended by itself`);
    }
    await pause(WATCH_EVERY_MS);
  }
}

/** Takeover of a dead owner (6 s), a breaker's probes (4 s), commands of the operator one after the other, all that on the slowest machine. */
const RECOVERY_WITHIN_MS = 60_000;

/**
 * How long it takes until every sending number has sent something again. The load continues after the repair and
 * reaches all numbers, so each of them owes something.
 */
async function recovery(arena: Arena, repairedMs: number): Promise<number | null> {
  const probe = async (): Promise<number | null> =>
    recoveredAt(readLedger(arena.simulator.ledgerFile), arena.phoneNumberIds, repairedMs);
  const at = await pollUntil({
    what: 'a number sends nothing',
    everyMs: 100,
    timeoutMs: RECOVERY_WITHIN_MS,
    probe,
  }).catch(() => null);
  return at === null ? null : at - repairedMs;
}

/** When the last of the numbers had its first accept since `sinceMs`; null while one has had none. */
export function recoveredAt(
  ledger: readonly LedgerEntry[],
  phoneNumberIds: readonly string[],
  sinceMs: number,
): number | null {
  const firsts = phoneNumberIds.map(
    (id) => ledger.find((entry) => entry.phoneNumberId === id && entry.acceptedAtMs >= sinceMs)?.acceptedAtMs ?? null,
  );
  return firsts.reduce<number | null>(
    (latest, at) => (latest === null || at === null ? null : Math.max(latest, at)),
    sinceMs,
  );
}

/** Reads all three records and compares them. The embedded server is stopped for it, and started again to `goOn`. */
async function auditNow({ arena, log, beside, starts, found }: Run, restart: boolean): Promise<AuditReport> {
  const stopped = arena.database === 'pglite';
  if (stopped) await arena.server.stop();
  const database = await arena.open();
  const evidence: Evidence = {
    client: log.messages,
    inbound: log.inbound,
    neighbour: beside,
    silences: arena.silences,
    deafTimes: arena.deafTimes,
    ledger: readLedger(arena.simulator.ledgerFile),
    database: await readEvidence(database),
    unknownWaitMs: UNKNOWN_WAIT_S * 1000,
    unknownResends: UNKNOWN_RESENDS,
    completeTimes: completeTimes(starts),
  };
  await database.close();
  if (stopped && restart) await arena.restartServer();
  const report = audit(evidence);
  return { ...report, violations: [...found, ...report.violations] };
}

function completeTimes(starts: Run['starts']): Evidence['completeTimes'] {
  return starts.flatMap(({ atMs, losesStatuses }, index) =>
    losesStatuses ? [] : [{ fromMs: atMs, toMs: starts[index + 1]?.atMs ?? Number.POSITIVE_INFINITY }],
  );
}
