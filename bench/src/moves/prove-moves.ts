import { readLedger } from '../chaos/ledger.ts';
import { operate } from '../harness/operate.ts';
import { builtPrograms } from '../harness/paths.ts';
import { pause, pollUntil } from '../harness/pause.ts';
import { freePorts } from '../harness/ports.ts';
import { type Postgres, startPostgres, usePostgres } from '../harness/postgres.ts';
import { startServer } from '../harness/server.ts';
import { startSimulator } from '../harness/simulator.ts';
import { makeWorkspace, type Workspace } from '../harness/workspace.ts';
import { type Random, seededRandom } from '../random.ts';
import { runMover } from './move-process.ts';
import { addSender, fillUp, keepSending, type Sender, type Sending } from './sending-tenant.ts';

export interface ProofSpec {
  readonly tenants: number;
  /** What each tenant has sent before it moves. */
  readonly messagesBefore: number;
  /** How often the command of a tenant is killed at most. */
  readonly maxKills: number;
  readonly seed: number;
  /** A PostgreSQL server to make a database in; null: one of our own. */
  readonly url: string | null;
  readonly say: (line: string) => void;
}

export interface MovesProof {
  readonly lost: number;
  readonly doubled: number;
  readonly pausesMs: readonly number[];
}

const SETTINGS = { MESSAGING_NUMBER_RATE: '0', MESSAGING_PAIR_LIMIT: 'off', MESSAGING_DATABASE_POOL: '6' } as const;
const REST_WITHIN_MS = 120_000;
/** A command is killed between its start and the time that a move takes. */
const KILL_WITHIN_MS = 4_000;

/** @throws Error when a move cannot be brought to its end */
export async function proveMoves(spec: ProofSpec): Promise<MovesProof> {
  const workspace = makeWorkspace();
  try {
    const stage = await openMoveStage(spec, workspace);
    const senders: Sender[] = [];
    for (let n = 0; n < spec.tenants; n += 1) senders.push(await addSender(stage, n));
    for (const sender of senders) await fillUp(sender, spec.messagesBefore);
    const sendings = senders.map(keepSending);
    const pausesMs: number[] = [];
    const random = seededRandom(spec.seed);
    for (const sender of senders) pausesMs.push(...(await moveOne({ spec, stage, random }, sender)));
    for (const sending of sendings) await sending.stop();
    return await report(spec, { stage, sendings, pausesMs });
  } finally {
    await workspace.close();
  }
}

export interface MoveStage {
  readonly folder: string;
  readonly program: string;
  readonly databaseUrl: string;
  readonly serverUrl: string;
  readonly ledgerFile: string;
  /** Runs a command of the operator in the running server. */
  operate(args: readonly string[]): Promise<unknown>;
}

async function openMoveStage({ url }: ProofSpec, workspace: Workspace): Promise<MoveStage> {
  const { folder } = workspace;
  const postgres: Postgres = url === null ? await startPostgres(folder) : await usePostgres(url);
  const name = `postrider_moves_${process.pid}`;
  const databaseUrl = await postgres.createDatabase(name);
  workspace.onClose(() => postgres.dropDatabase(name));
  const programs = builtPrograms();
  const [port = 0, simulatorPort = 0] = await freePorts(2);
  const ledgerFile = `${folder}/ledger.ndjson`;
  const simulator = await startSimulator({
    program: programs.simulator,
    port: simulatorPort,
    callbackUrl: `http://127.0.0.1:${port}/webhooks/meta`,
    ledgerFile,
    logFile: `${folder}/simulator.log`,
    numberRate: 0,
  });
  workspace.onClose(() => simulator.stop());
  const dataDir = `${folder}/data`;
  const server = await startServer({
    ...{ program: programs.server, port, metricsPort: 0, databaseUrl, dataDir },
    ...{ networkUrl: simulator.url, logFile: `${folder}/server.log`, settings: SETTINGS },
  });
  workspace.onClose(() => server.stop());
  const command = (args: readonly string[]) => operate({ program: programs.server, dataDir, databaseUrl }, args);
  await command(['cells', 'add', 'b']);
  return { folder, program: programs.server, databaseUrl, serverUrl: server.url, ledgerFile, operate: command };
}

interface Proving {
  readonly spec: ProofSpec;
  readonly stage: MoveStage;
  readonly random: Random;
}

/** Moves a tenant, however often the command is killed. @returns how long the pause was, if the last command made it */
async function moveOne({ spec, stage, random }: Proving, { tenantId }: Sender): Promise<readonly number[]> {
  const { program, databaseUrl, folder } = stage;
  const mover = { program, databaseUrl, dataDir: `${folder}/mover`, tenantId, toCell: 'b' };
  const kills: number[] = [];
  for (let left = random.between(0, spec.maxKills); left > 0; left -= 1) {
    const killAfterMs = random.between(500, KILL_WITHIN_MS);
    const { isKilled, isDone } = await runMover({ ...mover, killAfterMs });
    if (isDone) break;
    if (isKilled) kills.push(killAfterMs);
  }
  const end = await pollUntil({
    what: `the move of ${tenantId} does not end`,
    everyMs: 1_000,
    timeoutMs: REST_WITHIN_MS,
    probe: async () => {
      const last = await runMover({ ...mover, killAfterMs: null });
      if (last.isDone || last.said.includes('is in the cell b already')) return last;
      throw new Error(last.said);
    },
  });
  spec.say(`${tenantId}: killed after ${kills.join(', ') || 'never'} ms, paused for ${end.pauseMs ?? '?'} ms`);
  return end.pauseMs === null ? [] : [end.pauseMs];
}

async function report(
  spec: ProofSpec,
  {
    stage,
    sendings,
    pausesMs,
  }: { readonly stage: MoveStage; readonly sendings: readonly Sending[]; readonly pausesMs: readonly number[] },
): Promise<MovesProof> {
  const accepted = sendings.flatMap((sending) => [...sending.accepted]);
  await untilSent(stage, accepted.length);
  const times = new Map<string, number>();
  for (const { messageId } of readLedger(stage.ledgerFile))
    if (messageId !== null) times.set(messageId, (times.get(messageId) ?? 0) + 1);
  const missing = (await Promise.all(sendings.map((sending) => sending.missing()))).flat();
  const unsent = accepted.filter((id) => !times.has(id));
  const lost = new Set([...unsent, ...missing]).size;
  for (const sending of sendings) for (const line of await sending.storyOf(unsent)) spec.say(line);
  const doubled = [...times.values()].filter((n) => n > 1).length;
  const sorted = [...pausesMs].sort((one, other) => one - other);
  const refused = sendings.reduce((total, { refusals }) => total + refusals(), 0);
  spec.say(
    `${spec.tenants} tenants moved; ${accepted.length} messages accepted, ${refused} requests answered 503 and repeated.`,
  );
  spec.say(`lost ${lost}, sent twice ${doubled}.`);
  spec.say(
    `pause: median ${sorted[sorted.length >> 1] ?? '?'} ms, longest ${sorted.at(-1) ?? '?'} ms, of ${sorted.length} moves.`,
  );
  return { lost, doubled, pausesMs: sorted };
}

async function untilSent({ ledgerFile }: MoveStage, accepted: number): Promise<void> {
  const endMs = performance.now() + REST_WITHIN_MS;
  while (readLedger(ledgerFile).length < accepted && performance.now() < endMs) await pause(500);
  // A second copy would come now.
  await pause(5_000);
}
