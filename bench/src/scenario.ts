import type { PlainServer } from './baseline/plain-server.ts';
import type { Figure } from './figure.ts';
import type { Programs } from './harness/paths.ts';
import type { Postgres } from './harness/postgres.ts';
import { type DatabaseKind, openStage, type Stage } from './harness/stage.ts';
import type { Workspace } from './harness/workspace.ts';
import type { LoadProcess } from './load/load-process.ts';

/** How much of everything a run does. */
export interface Sizes {
  readonly acceptSeconds: number;
  readonly acceptRounds: number;
  /** Of each uploaded file. */
  readonly uploadBytes: number;
  readonly steadySeconds: number;
  readonly backlogMessages: number;
  /** Share of the wanted rate that the steady scenario offers. */
  readonly offeredShare: number;
  readonly idleRequests: number;
  /** Requests before these that are not counted. */
  readonly idleWarmUp: number;
  readonly manyMessages: number;
  readonly fewMessages: number;
  readonly readSeconds: number;
  readonly limitedSeconds: number;
  /** Messages to a network that enforces its limit, over all its numbers. */
  readonly limitedMessages: number;
  readonly drainMessages: number;
  readonly peerSeconds: number;
  /** Whether a number hangs in every way, or in one. */
  readonly allFaults: boolean;
  /** Rounds of more requests than can be stored, and seconds of each. */
  readonly overloadRounds: number;
  readonly overloadSeconds: number;
  /** The backlog beside quiet tenants, pairs of rounds with and without it, and seconds of each round. */
  readonly noisyMessages: number;
  readonly quietRounds: number;
  readonly quietSeconds: number;
  /** Pairs of rounds with and without the trouble of another tenant, and seconds of each round. */
  readonly besideRounds: number;
  readonly besideSeconds: number;
  /** Pairs of rounds with and without a hanging endpoint, and events in each round. */
  readonly webhookRounds: number;
  readonly webhookEvents: number;
  /** Rows of an imported file. */
  readonly importRows: number;
  /** Messages from before the API. */
  readonly pastMessages: number;
  /** Messages that 200 chatbot rules evaluate. */
  readonly ruleMessages: number;
  /** Of both directions, in the tenant of `inbox-reads`. */
  readonly inboxMessages: number;
  readonly inboxRounds: number;
  /** In the tenant of `search`. */
  readonly searchMessages: number;
  /** Of the tenant of `console`; agents who read along, rows of its list, events, loads of the page, and seconds at rest. */
  readonly consoleMessages: number;
  readonly consoleAgents: number;
  readonly consoleRows: number;
  readonly consoleEvents: number;
  readonly consoleRounds: number;
  readonly consoleIdleSeconds: number;
  /** Sending numbers of `waking-numbers`, seconds that they rest, and how often each way of waking is tried. */
  readonly wakingNumbers: number;
  readonly wakingIdleSeconds: number;
  readonly wakingRounds: number;
  /** Tenants of `cells`. */
  readonly cellTenants: number;
  /** Seconds of each round of `neglected-database`, and rounds in a row beside the same neglect. */
  readonly neglectSeconds: number;
  readonly neglectRounds: number;
  /** Alternating rounds of `floor`, seconds of each, and messages whose rows are written for comparison. */
  readonly floorRounds: number;
  readonly floorSeconds: number;
  readonly floorRows: number;
  /** What the grown installation of `growth` has, rounds of each side, and seconds of each. */
  readonly growthMessages: number;
  readonly growthContacts: number;
  readonly growthTenants: number;
  readonly growthEndpoints: number;
  readonly growthRounds: number;
  readonly growthSeconds: number;
  /** Rounds of `processes` with each number of processes, and seconds of each. */
  readonly processesRounds: number;
  readonly processesSeconds: number;
  readonly soakSeconds: number;
}

/** What every scenario is handed. */
export interface Bench {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly database: DatabaseKind;
  readonly postgres: Postgres | null;
  readonly load: LoadProcess;
  readonly plain: PlainServer;
  readonly sizes: Sizes;
  readonly seed: number;
  /** Requests per second that the steady scenario offers; null: a little above its limit. */
  readonly offeredRate: number | null;
  /** One line of progress. */
  readonly say: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  readonly databases: readonly DatabaseKind[];
  /** Too long for a whole run: it runs only when `--only` names it. */
  readonly onlyByName?: true;
  /** What belongs here and cannot be measured on this machine. */
  readonly absent?: () => readonly { readonly name: string; readonly why: string }[];
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** A stage for a scenario; it is closed when `work` ends, also by an error. */
export async function onStage<T>(
  bench: Bench,
  options: {
    readonly name: string;
    readonly settings: Readonly<Record<string, string>>;
    readonly networkRate?: number;
  },
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const { programs, workspace, database, postgres } = bench;
  const stage = await openStage({ programs, workspace, database, postgres, networkRate: 0, ...options });
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}
