import { join } from 'node:path';
import type { Cell } from '#cells/domain/cell';
import { openToken } from '#core/sealed-token';
import type { OpenDatabase } from '#database/database';
import { timedDatabase } from '#database/timed-database';
import { openDatabase } from '#maintenance/actions/open-database';
import { systemClock } from '#runtime/clock';
import { makeClusterClock } from '#runtime/cluster-clock';
import { ConfigError } from '#runtime/config';
import { openKeyring } from '#runtime/keyring';
import type { Log } from '#runtime/log';
import { makeRuntime, type Runtime } from '#runtime/runtime';

/** A cell's database, and the runtime of what works on it. */
export interface CellDatabase {
  readonly rt: Runtime;
  readonly db: OpenDatabase;
}

/**
 * Opens the database of a cell. What works on it has a clock, counters and signals of its own, and the settings of this process.
 * @throws ConfigError when its address was encrypted with a key that this process does not have
 */
export async function openCellDatabase(main: Runtime, cell: Cell): Promise<CellDatabase> {
  const rt = cellRuntime(main, cell);
  return { rt, db: timedDatabase(await openDatabase(rt, cell.schema), rt.metrics, rt.clock) };
}

/** Where the mark of a cell's database is remembered: each has a folder of its own. */
export function cellFolder({ config }: Pick<Runtime, 'config'>, cellId: string): string {
  return join(config.dataDir, 'cells', cellId);
}

function cellRuntime(main: Runtime, cell: Cell): Runtime {
  const { config, log, clock, random } = main;
  // Each follows the clock of its own database. One that follows none is a test's.
  const ownClock = clock.correct === undefined ? clock : makeClusterClock(systemClock);
  const databaseUrl = addressOfCell(main, cell);
  const settings = { ...config, databaseUrl, bootstrapApiKey: '', metricsPort: 0 };
  return { ...makeRuntime(settings, logOf(log, cell.cellId), ownClock, random), tracing: main.tracing };
}

/** Each line says which cell it is about. */
function logOf(log: Log, cell: string): Log {
  const at =
    (level: keyof Log): Log[typeof level] =>
    (facts: unknown, ...rest: readonly unknown[]) => {
      const own = typeof facts === 'string' ? [{ cell }, facts] : [{ cell, ...(facts as object) }];
      (log[level] as (...line: readonly unknown[]) => void)(...own, ...rest);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Named by its purpose and the cell, so that no other row can hold it. */
export function ownerOfAddress(cellId: string): string {
  return `postrider cell ${cellId}`;
}

/** The address of a cell's server. @throws ConfigError */
export function addressOfCell(
  { config }: Pick<Runtime, 'config'>,
  { cellId, url }: Pick<Cell, 'cellId' | 'url'>,
): string {
  if (url === null) return config.databaseUrl;
  const key = openKeyring(config).find(url.keyId);
  const address = key === null ? null : openToken(key, ownerOfAddress(cellId), url.sealed);
  if (address !== null) return address;
  throw new ConfigError(
    `The address of the cell ${cellId} was encrypted with a key that MESSAGING_ENCRYPTION_KEY does not have.`,
  );
}
