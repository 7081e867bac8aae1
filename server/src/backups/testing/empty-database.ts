import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RestoreDeps } from '#backups/actions/restore-backup';
import { migrationsFolder } from '#bin/service';
import type { Archive } from '#blobs/archive';
import { openBlobStore } from '#blobs/open-store';
import { readMigrations } from '#database/migration-file';
import { openDatabase } from '#maintenance/actions/open-database';
import type { Config } from '#runtime/config';
import { copyEmpty } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';

/** A database without tables, and a data folder of its own, that backups can be restored into. */
export interface EmptyDatabase extends RestoreDeps {
  readonly dataDir: string;
  readonly url: string | null;
  drop(): Promise<void>;
}

export async function openEmpty(archive: Archive, config: Partial<Config> = {}): Promise<EmptyDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-restore-'));
  const made = await copyEmpty(dataDir);
  const rt = testRuntime({ dataDir, databaseUrl: made.url ?? '', ...config });
  const db = await openDatabase(rt);
  const store = openBlobStore(rt.config);
  return {
    rt,
    db,
    archive,
    store,
    migrations: readMigrations(migrationsFolder()),
    dataDir,
    url: made.url,
    drop: async () => {
      await store.close();
      // A test may have closed it, to hand the database to a service.
      await db.close().catch(() => undefined);
      await made.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
