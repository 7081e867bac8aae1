import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../../../server/src/bin/service.ts';
import { copyTemplate } from '../../../server/src/testing/database/test-database.ts';
import { testRuntime } from '../../../server/src/testing/test-runtime.ts';

/** The service without a network, which can be stopped and started again at the same address. */
export interface RestartableService {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const KEY = 'test-key-of-the-first-tenant';

/** Starts it with a database of its own. */
export async function startRestartableService(): Promise<RestartableService> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-sdk-test-'));
  const made = await copyTemplate(folder);
  const config = { databaseUrl: made.url ?? '', dataDir: folder, bootstrapApiKey: KEY, apiRate: 0, apiTenantRate: 0 };
  let service: Service = await startService(testRuntime({ ...config, port: 0 }));
  const { url } = service;
  return {
    url,
    key: KEY,
    stop: () => service.close(),
    start: async () => {
      service = await startService(testRuntime({ ...config, port: Number(new URL(url).port) }));
    },
    close: async () => {
      await service.close();
      await made.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
