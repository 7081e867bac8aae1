#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isNumericId } from '../src/graph/graph-path.ts';
import { type SimulatorOptions, startSimulator } from '../src/simulator.ts';

// The ledger and uploaded files hold what was sent: nothing of them for other users of the machine.
process.umask(0o077);
const DEFAULT_PORT = '8090';
const DEFAULT_CALLBACK_URL = 'http://127.0.0.1:8080/webhooks/meta';
const DEFAULT_GATEWAY_CALLBACK_URL = 'http://127.0.0.1:8080/webhooks/payments/stripe';

type Environment = Readonly<Record<string, string | undefined>>;

/** Flags win over the environment; throws a sentence when a value is not usable. */
function readOptions(env: Environment, args: readonly string[]): SimulatorOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      ledger: { type: 'string' },
      'callback-url': { type: 'string' },
      quiet: { type: 'boolean', default: false },
    },
  });
  const callbackUrl = values['callback-url'] ?? env.MESSAGING_SIMULATOR_CALLBACK_URL ?? DEFAULT_CALLBACK_URL;
  const gatewayUrl = env.MESSAGING_SIMULATOR_GATEWAY_CALLBACK_URL ?? DEFAULT_GATEWAY_CALLBACK_URL;
  return {
    host: env.HOST ?? '127.0.0.1',
    port: readNumber('port', values.port ?? env.MESSAGING_SIMULATOR_PORT ?? DEFAULT_PORT, 65_535),
    callbackUrl: readAddress(callbackUrl),
    gatewayCallbackUrl: readAddress(gatewayUrl),
    gatewayWebhookSecret: env.MESSAGING_SIMULATOR_GATEWAY_SECRET ?? 'whsec_simulator',
    appSecret: readSecret(env, 'MESSAGING_APP_SECRET') ?? 'simulator-app-secret',
    verifyToken: readSecret(env, 'MESSAGING_VERIFY_TOKEN') ?? 'simulator-verify-token',
    ledgerFile: values.ledger ?? env.MESSAGING_SIMULATOR_LEDGER ?? null,
    stateFolder: env.MESSAGING_SIMULATOR_STATE_DIR || null,
    numbers: readNumberIds(env.MESSAGING_SIMULATOR_NUMBERS ?? ''),
    numberRate: readNumber('MESSAGING_SIMULATOR_NUMBER_RATE', env.MESSAGING_SIMULATOR_NUMBER_RATE ?? '80', 1_000_000),
    pairLimit: readSwitch('MESSAGING_SIMULATOR_PAIR_LIMIT', env.MESSAGING_SIMULATOR_PAIR_LIMIT ?? 'on'),
    enforceWindow: readSwitch('MESSAGING_SIMULATOR_WINDOW', env.MESSAGING_SIMULATOR_WINDOW ?? 'off'),
    strictTemplates: readSwitch(
      'MESSAGING_SIMULATOR_STRICT_TEMPLATES',
      env.MESSAGING_SIMULATOR_STRICT_TEMPLATES ?? 'off',
    ),
    demoTemplate: readSwitch('MESSAGING_SIMULATOR_DEMO_TEMPLATE', env.MESSAGING_SIMULATOR_DEMO_TEMPLATE ?? 'off'),
    warn: (line) => process.stderr.write(`${line}\n`),
    log: values.quiet ? () => {} : (line) => process.stdout.write(`${line}\n`),
  };
}

/** What the service reads from a file, under the name of the setting with `_FILE`, is read from the same file here. */
function readSecret(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  return file ? readFileSync(file, 'utf8').replace(/\r?\n$/, '') : env[name];
}

/** Null for an empty text: nothing is reported then. */
function readAddress(text: string): string | null {
  if (text === '') return null;
  if (!URL.canParse(text)) throw new Error(`The callback URL "${text}" is not a URL.`);
  return text;
}

function readNumber(name: string, text: string, max: number): number {
  if (!/^[0-9]+$/.test(text) || Number(text) > max)
    throw new Error(`${name} must be a whole number from 0 to ${max}, not "${text}".`);
  return Number(text);
}

/** Ids with commas between them; none for an empty text. */
function readNumberIds(text: string): readonly string[] {
  const ids = text.split(',').filter((id) => id !== '');
  const wrong = ids.find((id) => !isNumericId(id));
  if (wrong !== undefined) throw new Error(`MESSAGING_SIMULATOR_NUMBERS must be ids of digits, not "${wrong}".`);
  return ids;
}

function readSwitch(name: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`${name} must be "on" or "off", not "${text}".`);
  return text === 'on';
}

/** One sentence for a failure at the start. */
function explain(error: unknown, options: SimulatorOptions | null): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${options?.port} is taken; choose another with --port or MESSAGING_SIMULATOR_PORT.`;
  if (code === 'EACCES') return `Port ${options?.port} or the ledger file is not permitted: ${String(error)}`;
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  let options: SimulatorOptions | null = null;
  try {
    options = readOptions(process.env, process.argv.slice(2));
    const simulator = await startSimulator(options);
    options.log?.(`simulator listening on ${simulator.url}`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void simulator.close().then(() => process.exit(0)));
    }
  } catch (error) {
    process.stderr.write(`${explain(error, options)}\n`);
    process.exitCode = 1;
  }
}

await main();
