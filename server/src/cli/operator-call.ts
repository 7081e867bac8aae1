import { requireWhole } from '#cells/actions/require-whole';
import type { OperatorDeps } from '#cli/operator/command';
import { runOperatorCommand } from '#cli/operator/commands';
import type { JsonObject, JsonValue } from '#core/json';
import type { OpenDatabase } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { openDatabase, prepareDatabase } from '#maintenance/actions/open-database';
import type { Config } from '#runtime/config';
import { type CliContext, configOf, oneShotRuntime } from './context.ts';
import { CliError, EXIT, type ExitCode } from './exit.ts';
import { askOperatorSocket, databaseFingerprint, type SocketAnswer } from './operator-client.ts';
import { operatorSocketPath } from './operator-socket.ts';

/**
 * Runs an operator command: in the running server when one answers on the socket of the data folder, else here, on the
 * database that the settings name.
 * @param answerWithinMs for the running server; 0: however long it takes, as that of an export depends on the tenant
 * @throws CliError with the sentence and exit code of the running server
 */
export async function callOperator(
  ctx: CliContext,
  name: string,
  input: JsonObject,
  answerWithinMs?: number,
): Promise<JsonObject> {
  const config = configOf(ctx);
  if ((await runningServer(config)) !== null)
    return resultOf(await askOperatorSocket(operatorSocketPath(config.dataDir), name, input, answerWithinMs));
  return withOwnDatabase(ctx, config, async (deps) => {
    await requireWhole(deps.db);
    await prepareDatabase(deps.rt, deps.db, readMigrations(deps.migrationsFolder));
    await makeHistoryKeeper(deps.rt, deps.db).open();
    return runOperatorCommand(deps, name, input);
  });
}

export interface ServerOnSocket {
  readonly pid: number;
  /** Where its API is; null: it serves none. */
  readonly url: string | null;
  readonly networkUrl: string | null;
}

/** The server that answers in this data folder; null when none does, or it works on another database than ours. */
export async function runningServer(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<ServerOnSocket | null> {
  const answer = await askOperatorSocket(operatorSocketPath(config.dataDir), 'ping', {});
  if (answer.kind !== 'done') return null;
  const { pid, database, url, network_url: networkUrl } = answer.result;
  // Without a DATABASE_URL of our own the running server knows best; with one, it must be the same.
  const same = config.databaseUrl === '' || database === databaseFingerprint(config.databaseUrl);
  return same ? { pid: Number(pid), url: textOrNull(url), networkUrl: textOrNull(networkUrl) } : null;
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Opens the database in this process, without preparing it, and closes it afterwards. */
export async function withOwnDatabase<T>(
  ctx: CliContext,
  config: Config,
  work: (deps: OperatorDeps & { readonly db: OpenDatabase }) => Promise<T>,
): Promise<T> {
  const rt = oneShotRuntime(ctx, config);
  const { migrationsFolder } = await ctx.loadServer();
  const db = await openDatabase(rt);
  try {
    return await work({ rt, db, migrationsFolder: migrationsFolder() });
  } finally {
    await db.close();
  }
}

export function resultOf(answer: SocketAnswer): JsonObject {
  if (answer.kind === 'done') return answer.result;
  if (answer.kind === 'nobody')
    throw new CliError(EXIT.unreachable, 'The server stopped before it responded. Try again.');
  const known = Object.values(EXIT).find((code) => code === answer.exitCode);
  throw new CliError((known ?? EXIT.failure) as ExitCode, answer.sentence);
}
