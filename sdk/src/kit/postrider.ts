import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Postrider } from '../client.ts';
import { startProgram } from './program.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';

/** How the service and its network are set up. */
export interface PostriderOptions {
  /** Settings as `postrider config` lists them, such as `MESSAGING_NUMBER_RATE`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly simulator?: Omit<SimulatorOptions, 'callbackUrl' | 'appSecret'> | undefined;
  /** A folder for the database, which is kept: the next start with it takes less time. Default: a temporary one. */
  readonly dataDir?: string | undefined;
}

/** The whole service with one tenant, on the embedded database, with a simulated network. */
export interface RunningPostrider {
  readonly url: string;
  /** Of the tenant, with all rights. */
  readonly apiKey: string;
  /** A client with this key. */
  readonly client: Postrider;
  /** The tenant's number. */
  readonly phoneNumberId: string;
  readonly simulator: Simulator;
  /** Ends the service and the simulator, and removes the temporary folder. */
  close(): Promise<void>;
}

const PHONE_NUMBER_ID = '100000000000001';
const KEY_BYTES = 24;

/**
 * Starts the service and the simulated network on free ports, in processes of their own that end with this one.
 * @throws {Error} when the packages `@postrider/server` and `@postrider/simulator` are not installed
 */
export async function startPostrider(options: PostriderOptions = {}): Promise<RunningPostrider> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'postrider-'));
  // What was started last is ended first.
  const ends: (() => Promise<void>)[] = [
    async () => {
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  ];
  const close = async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    const simulator = await startSimulator({ numbers: [PHONE_NUMBER_ID], ...options.simulator });
    ends.push(() => simulator.close());
    const apiKey = randomBytes(KEY_BYTES).toString('hex');
    const settings = { ...settingsOf(simulator.url, apiKey), ...options.settings, MESSAGING_DATA_DIR: dataDir };
    const file = 'dist/bin/postrider.cjs';
    const service = await startProgram({ package: '@postrider/server', file, args: ['serve'], settings });
    ends.push(service.stop);
    await simulator.control('PUT', '/_sim/config', {
      callback_url: `${service.url}/webhooks/meta`,
      gateway_callback_url: `${service.url}/webhooks/payments/stripe`,
    });
    const client = new Postrider({ apiKey, baseUrl: service.url });
    // What the network has is known before the first message.
    await client.templates.sync();
    return { url: service.url, apiKey, client, phoneNumberId: PHONE_NUMBER_ID, simulator, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function settingsOf(networkUrl: string, apiKey: string): Readonly<Record<string, string>> {
  return {
    PORT: '0',
    MESSAGING_BOOTSTRAP_API_KEY: apiKey,
    MESSAGING_NETWORK_URL: networkUrl,
    MESSAGING_STRIPE_URL: networkUrl,
    MESSAGING_STRIPE_KEY: 'sk_test_simulator',
    MESSAGING_STRIPE_WEBHOOK_SECRET: 'whsec_simulator',
    // Receivers in a test are on this machine.
    MESSAGING_WEBHOOK_ALLOW: '127.0.0.1,localhost',
    // Tests ask as fast as they can, all from one address.
    MESSAGING_API_RATE: '0',
    MESSAGING_API_TENANT_RATE: '0',
    MESSAGING_CONSOLE: 'off',
    LOG_LEVEL: 'error',
    // What is preloaded makes the thread pool before the program can say how large it is to be.
    UV_THREADPOOL_SIZE: '16',
  };
}
