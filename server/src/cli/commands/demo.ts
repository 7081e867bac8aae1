import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeApiKey } from '#core/caller/api-key';
import type { Config } from '#runtime/config';
import { openPrivateFolder } from '#runtime/private-folder';
import { networkIsSimulated } from '#runtime/simulated';

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
export function demoKey(config: Config): string {
  if (config.bootstrapApiKey !== '') return config.bootstrapApiKey;
  const kept = readDemoKey(config);
  if (kept !== null) return kept;
  const key = makeApiKey(networkIsSimulated(config) ? 'test' : 'live', randomBytes);
  openPrivateFolder(config.dataDir);
  writeFileSync(demoKeyPath(config), `${key}\n`, { mode: 0o600 });
  return key;
}

export interface DemoFacts {
  readonly url: string;
  readonly key: string;
  /** Address of the network; the simulator plays the customers there. */
  readonly networkUrl: string;
  readonly dataDir: string;
  /** Signs the owner of the demo tenant in, once. */
  readonly signInUrl: string;
}

/** What `npm start` shows: where it runs, the ways in, and where everything is kept. */
export function demoBlock({ url, key, networkUrl, dataDir, signInUrl }: DemoFacts): string {
  const base = homeUrl(url);
  return [
    '',
    `  Postrider is running at ${base}`,
    '',
    `    Sign in   ${signInUrl}`,
    '              works once, within 10 minutes; "npx postrider users link" makes another',
    '',
    `    API key   ${key}`,
    '              for the commands in README.md, paste this line into another terminal:',
    '',
    `export BASE=${base} SIM=${homeUrl(networkUrl)} KEY=${key}`,
    '',
    `    Data      ${resolve(dataDir)}`,
    '              remove this folder to start over',
    '',
    '  Ctrl-C stops.',
    '',
    '',
  ].join('\n');
}

/** The address that people type: `localhost` where the service listens on this machine alone. */
export function homeUrl(url: string): string {
  return reachableUrl(url).replace(/\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '//localhost');
}

/** "Every address" is for listening; a client needs one that it can call. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}

/** Where a client on this machine reaches the service with these settings. */
export function ownUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return reachableUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}
