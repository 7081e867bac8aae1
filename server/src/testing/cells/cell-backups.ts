import type { Manifest } from '#backups/domain/manifest';
import type { EmptyDatabase } from '#backups/testing/empty-database';
import { type Service, startService } from '#bin/service';
import type { Archive } from '#blobs/archive';
import { openBlobStore } from '#blobs/open-store';
import { addedCells } from '#cells/actions/add-cell';
import { backUpCells } from '#cells/actions/back-up-cells';
import type { OpenCell } from '#cells/actions/cell-locator';
import type { Runtime } from '#runtime/runtime';
import { testRuntime } from '#testing/test-runtime';

/** A service with cells that is backed up. */
export interface CellService {
  readonly rt: Runtime;
  readonly service: Service;
}

/** The cells that a service serves, the main one first. */
export function openCellsOf({ service }: Pick<CellService, 'service'>): readonly OpenCell[] {
  return [{ cellId: 'main', db: service.db }, ...(service.cells?.forOperators.served() ?? [])];
}

/** A backup of all cells, in the process that serves them. */
export async function backUpAll(
  { rt, service }: CellService,
  archive: Archive,
  open = openCellsOf({ service }),
): Promise<Manifest> {
  const store = openBlobStore(rt.config);
  const added = await addedCells(service.db);
  const deps = { rt, db: service.db, archive, store, open, added };
  return backUpCells(deps, { copyBucket: false }).finally(() => store.close());
}

/** The service of an installation on what was restored. */
export function startOn({ rt }: Pick<CellService, 'rt'>, { url, dataDir }: EmptyDatabase): Promise<Service> {
  return startService(testRuntime({ ...rt.config, bootstrapApiKey: '', databaseUrl: url ?? '', dataDir }));
}
