import { join } from 'node:path';
import { findTenant } from '#access/store/tenants';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import { exportTenant, showsOneMoment } from '#maintenance/actions/export-tenant';
import { EXPORTED_TABLES, UNEXPORTED_TABLES } from '#maintenance/store/export-tenant';
import type { OperatorDeps, OperatorWork } from './command.ts';
import { makeExportFolder, writeManifest, writeMedia, writeRows } from './export-folder.ts';
import { inputText, namedTenant, timeText } from './input.ts';

/** Version of the layout of an export. */
const FORMAT = 1;

/**
 * Writes everything that a tenant has into a new folder of the machine on which this runs. Its manifest says `complete` when it is.
 * A request for one that is being deleted is refused: some of it may be gone.
 */
export const exportTenantData: OperatorWork = async (deps, input) => {
  const tenantId = await namedTenant(deps.db, input);
  const folder = inputText(input, 'folder');
  const begun = await beginManifest(deps, tenantId);
  await makeExportFolder(folder);
  await writeManifest(folder, begun);
  const tables = await writeTables(deps, tenantId, folder);
  const media = { ...(await copyMedia(deps, folder)) };
  const finished = { ...begun, complete: true, finished_at: timeText(deps.rt.clock.now()), tables, media };
  await writeManifest(folder, finished);
  return { ...finished, folder };
};

async function beginManifest({ rt, db }: OperatorDeps, tenantId: TenantId): Promise<JsonObject> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null || tenant.state === 'deleting') throw new OperatorError('The tenant is being deleted.');
  return {
    format: FORMAT,
    complete: false,
    tenant: { id: tenantId, name: tenant.name },
    started_at: timeText(rt.clock.now()),
    finished_at: null,
    one_moment: showsOneMoment(db),
    left_out: { ...UNEXPORTED_TABLES },
  };
}

async function writeTables({ rt, db }: OperatorDeps, tenantId: TenantId, folder: string): Promise<JsonObject> {
  const tables: Record<string, JsonObject> = {};
  await exportTenant(rt, db, tenantId, async (table, portions) => {
    const file = `tables/${table}.ndjson`;
    const written = await writeRows(join(folder, file), portions);
    tables[table] = { file, ...written, columns_left_out: [...(EXPORTED_TABLES[table] ?? [])] };
  });
  return tables;
}

async function copyMedia({ rt }: OperatorDeps, folder: string) {
  // Loaded on demand: no other command reads media.
  const { openBlobStore } = await import('#blobs/open-store');
  const store = openBlobStore(rt.config);
  try {
    return await writeMedia(folder, (key) => store.open(key));
  } finally {
    await store.close();
  }
}
