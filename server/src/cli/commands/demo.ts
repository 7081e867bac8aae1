import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApiKey } from '#core/caller/api-key';
import type { Config } from '#runtime/config';
import { openPrivateFolder } from '#runtime/private-folder';

/** Where the key of the demo tenant is kept, for its owner only. */
export function demoKeyPath(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'demo-api-key');
}

/** The kept key of the demo tenant; null when no demo was ever started here. */
export function readDemoKey(config: Pick<Config, 'dataDir'>): string | null {
  try {
    return readFileSync(demoKeyPath(config), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** The key of the demo tenant: the configured one, the kept one, or a new one, which is then kept (mode 0600). */
export function demoKey(config: Pick<Config, 'dataDir' | 'bootstrapApiKey'>): string {
  if (config.bootstrapApiKey !== '') return config.bootstrapApiKey;
  const kept = readDemoKey(config);
  if (kept !== null) return kept;
  const key = makeApiKey('live', randomBytes);
  openPrivateFolder(config.dataDir);
  writeFileSync(demoKeyPath(config), `${key}\n`, { mode: 0o600 });
  return key;
}

export interface DemoFacts {
  readonly url: string;
  readonly key: string;
  readonly tenantId: string;
  readonly phoneNumberId: string;
  /** Address of the network; the simulator shows its customers' phones there. */
  readonly networkUrl: string;
}

/** What `npm start` shows: everything needed for a first message, the curl line ready to be pasted. */
export function demoBlock({ url, key, tenantId, phoneNumberId, networkUrl }: DemoFacts): string {
  const base = reachableUrl(url);
  const body = JSON.stringify({ to: '447700900123', body: 'Hello from Postrider' });
  return `
  Postrider is running.

    Base address    ${base}
    API key         ${key}
    Tenant          ${tenantId}
    Sending number  ${phoneNumberId}
    Reference       ${base}/docs  (every operation, with a form to try it)
    Simulator       ${networkUrl}  (read what arrived, answer as a customer)

  Send a message:

curl -sS ${base}/v1/messages -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'

  Ctrl-C stops.

`;
}

/** "Every address" is for listening; a client needs one that it can call. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}
