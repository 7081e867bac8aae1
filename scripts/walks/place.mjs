import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';
import { freePort, output, Program } from './program.mjs';

/*
 * What the ways of running share: a folder, ports, and the simulated network.
 */

/** A send whose outcome is unknown after the kill is sent again after this time, instead of after a minute. */
const PATIENCE = { MESSAGING_UNKNOWN_WAIT_S: '5' };

/** The service that is compiled in this folder. */
export const compiled = [process.execPath, join(root, 'server', 'dist', 'bin', 'postrider.cjs')];

/** Where one walk happens. */
export class Place {
  folder;
  data;
  ledger;
  port;
  simulatorPort;
  databases;
  package;

  /**
   * @param {string} folder which is empty
   * @param {{ databases: import('./databases.mjs').Databases, package: import('./copies.mjs').Package }} shared by all places
   */
  static async make(folder, shared) {
    const place = new Place();
    place.folder = folder;
    Object.assign(place, shared);
    place.data = join(folder, 'data');
    place.ledger = join(folder, 'ledger.ndjson');
    place.port = await freePort();
    place.simulatorPort = await freePort();
    mkdirSync(place.data, { mode: 0o700 });
    return place;
  }

  get base() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Of the service and of commands beside it. */
  get settings() {
    const { port, simulatorPort, data, ledger } = this;
    return {
      ...{ PORT: `${port}`, MESSAGING_DATA_DIR: data, LOG_LEVEL: 'warn', ...PATIENCE },
      ...{ MESSAGING_SIMULATOR_PORT: `${simulatorPort}`, MESSAGING_SIMULATOR_LEDGER: ledger },
      MESSAGING_NETWORK_URL: `http://127.0.0.1:${simulatorPort}`,
    };
  }

  /** Starts the simulated network, which stays when the service is killed. */
  async startNetwork() {
    const env = { ...this.settings, MESSAGING_SIMULATOR_CALLBACK_URL: `${this.base}/webhooks/meta` };
    const program = new Program({ name: 'The simulator', command: [...compiled, 'simulator'], env });
    await program.printed(/listening on/);
  }

  /** How often the network has accepted a message to somebody. */
  arrivalsOf(phone) {
    if (!existsSync(this.ledger)) return 0;
    const lines = readFileSync(this.ledger, 'utf8').split('\n').filter(Boolean);
    return lines.filter((line) => JSON.parse(line).to === phone).length;
  }
}

/** A tenant beside the first one. @returns its key */
export async function makeTenant(settings, name, { options = [], command = compiled } = {}) {
  const run = async (...args) =>
    JSON.parse(await output({ name: args.join(' '), command: [...command, ...args, '-o', 'json'], env: settings }));
  await run('tenants', 'create', name, ...options);
  return (await run('keys', 'create', '--tenant', name)).key;
}
