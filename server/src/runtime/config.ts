import { parseNetworks } from '#core/public-address';
import { parseSender, parseSmtpAddress } from '#core/smtp-address';
import { parseSyslogAddress } from '#core/syslog-address';
import { fileKeyOf, readSecret } from './secret-files.ts';

interface Declaration<T> {
  readonly fallback: T;
  readonly meaning: string;
  readonly secret?: boolean;
  /** Throws an Error whose message says what the text must be. */
  readonly parse: (text: string) => T;
}

function text(fallback: string, meaning: string, secret = false): Declaration<string> {
  return { fallback, meaning, secret, parse: (value) => value };
}

function whole(fallback: number, [min, max]: readonly [number, number], meaning: string): Declaration<number> {
  const parse = (value: string): number => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}.`);
  };
  return { fallback, meaning, parse };
}

function choice<const T extends string>(fallback: NoInfer<T>, choices: readonly T[], meaning: string): Declaration<T> {
  const parse = (value: string): T => {
    const found = choices.find((item) => item === value);
    if (found) return found;
    throw new Error(`must be one of ${choices.join(', ')}.`);
  };
  return { fallback, meaning, parse };
}

/** @param check throws an Error that says what the text must be */
function checked(fallback: string, meaning: string, check: (text: string) => void): Declaration<string> {
  const parse = (value: string): string => {
    check(value);
    return value;
  };
  return { fallback, meaning, parse };
}

function requireCurrency(value: string): void {
  if (!/^[A-Z]{3}$/.test(value)) throw new Error('must be three capital letters, such as EUR.');
}

function requireContact(value: string): void {
  const isContact = value === '' || (URL.canParse(value) && /^(https|mailto):$/.test(new URL(value).protocol));
  if (!isContact) throw new Error('must be an address such as mailto:operator@example.com or https://example.com.');
}

function requireOrigin(value: string): void {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, '');
  if (value !== '' && !isOrigin) throw new Error('must be like https://chat.example.com, without a path.');
}

function requireHttpAddress(value: string): void {
  const isHttp = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (value !== '' && !isHttp) throw new Error('must be like http://127.0.0.1:4318.');
}

function requireProcesses(value: string): void {
  if (value !== 'auto' && !/^(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-6])$/.test(value))
    throw new Error('must be auto, or a whole number from 1 to 256.');
}

function requireSyslogAddress(value: string): void {
  if (parseSyslogAddress(value) === null)
    throw new Error('must be like tcp://logs.internal:601, with udp, tcp or tls.');
}

function requireSmtpAddress(value: string): void {
  if (value !== '' && parseSmtpAddress(value) === null)
    throw new Error(
      'must be like smtp://user:password@mail.example.com:587 or smtps://…, percent-encoded; ?tls=optional only without a password.',
    );
}

function requireSender(value: string): void {
  if (value !== '' && parseSender(value) === null)
    throw new Error('must be an email address, or like Flower shop <inbox@example.com>.');
}

/** A setting that cannot be used; the message is meant for the person who set it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const PORTS = [0, 65_535] as const;

/** Keys in the environment that do not follow from the name of the setting, see `keyOf`. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  host: 'HOST',
  port: 'PORT',
  databaseUrl: 'DATABASE_URL',
  logLevel: 'LOG_LEVEL',
  topUpMin: 'MESSAGING_TOPUP_MIN',
  topUpMax: 'MESSAGING_TOPUP_MAX',
  traceEndpoint: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  traceHeaders: 'OTEL_EXPORTER_OTLP_HEADERS',
  traceService: 'OTEL_SERVICE_NAME',
};

/** `databasePool` is MESSAGING_DATABASE_POOL in the environment. */
function keyOf(name: string): string {
  return OTHER_KEYS[name] ?? `MESSAGING_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/**
 * Every setting of the service: default, validation, meaning. `postrider config` prints this table.
 * Nothing else reads the environment: bin/ hands it in.
 */
const declarations = {
  host: text('127.0.0.1', 'Address the API listens on.'),
  port: whole(8080, PORTS, 'Port of the API and of the callbacks of the network.'),
  publicUrl: checked(
    '',
    'Address under which browsers reach the service, such as https://chat.example.com: what sign-in links begin with. Empty: http://localhost and the port.',
    requireOrigin,
  ),
  metricsPort: whole(0, PORTS, 'Port of /metrics on its own; 0: no separate port.'),
  metricsAccess: choice(
    'loopback',
    ['loopback', 'anyone'],
    'Who may read /metrics on the port of the API. loopback: programs on this machine that ask directly.',
  ),
  simulatorPort: whole(8090, PORTS, 'Port of the simulator.'),
  dataDir: text('./data', 'Folder of the embedded database, of media and of the operator socket.'),
  databaseUrl: text('', 'PostgreSQL 15+ address. Empty: the embedded database.', true),
  databasePool: whole(
    10,
    [4, 200],
    'Connections to PostgreSQL that a process opens at its start and keeps; two more wait for notifications.',
  ),
  databaseWaitS: whole(
    300,
    [0, 86_400],
    'How long a starting service waits for a PostgreSQL that is away before it exits; 0: not at all.',
  ),
  roles: text(
    'api,receiver,ingester,dispatcher,notifier,campaigner,maintenance',
    'What this process does, comma separated.',
  ),
  processes: checked(
    '1',
    'Processes that share the port and the work on one machine: a number, or auto for one per core. More than 1 needs PostgreSQL.',
    requireProcesses,
  ),
  networkUrl: text('http://127.0.0.1:8090', 'Base address of the messaging network.'),
  networkVersion: text('v25.0', 'Version segment of the network paths.'),
  networkToken: text('simulator-token', 'Access token for the network.', true),
  networkTimeoutMs: whole(15_000, [100, 120_000], 'How long a send may take before its outcome is unknown.'),
  sendConcurrency: whole(128, [1, 4096], 'Sends in flight at once, per process.'),
  webhookAllow: text(
    '',
    'Hosts, addresses and networks (10.1.0.0/16), comma separated, to which webhooks, pushes to browsers and sign-ins at identity providers may go although they are not public, and over HTTP.',
  ),
  dnsServers: text(
    '',
    'Name servers (10.0.0.2, 10.0.0.3:5353), comma separated, for names of webhook endpoints and of all else outside. Empty: those of the system.',
  ),
  pushContact: checked(
    '',
    'Address (mailto: or https:) under which push services of browsers can reach the operator. Empty: MESSAGING_PUBLIC_URL.',
    requireContact,
  ),
  webhookConcurrency: whole(256, [2, 4096], 'Webhooks in flight at once, per process.'),
  webhookEndpoints: whole(20, [1, 1_000], 'Webhook endpoints that a tenant may have.'),
  platform: text('meta', 'Name of the network owner in paths; `platform` is always an alias.'),
  appId: text('1000000000000001', 'Id of the app at the network; uploads for handles go through it.'),
  appSecret: text(
    'simulator-app-secret',
    'Secret the network signs its callbacks with. While it is changed both, comma separated, the one in force first.',
    true,
  ),
  linkConfigId: text(
    '',
    'Id of the login configuration that the dialog for linking accounts is opened with. Empty: none.',
  ),
  dialogUrl: text(
    '',
    'Base address of the dialog for linking accounts. Empty: www.facebook.com for graph.facebook.com, else the network address itself.',
  ),
  linkCallbackUrl: text(
    '',
    'Address of this service as the browser reaches it, for the way back from the dialog. Empty: as the request for the dialog named it.',
  ),
  encryptionKey: text(
    '',
    'Keys for access tokens at rest, each 32 bytes in base64, comma separated: the first encrypts, all decrypt. Empty: a key in MESSAGING_DATA_DIR, or no linking on PostgreSQL with a real network.',
    true,
  ),
  verifyToken: text('simulator-verify-token', 'Token of the callback verification.', true),
  numberRate: whole(80, [0, 100_000], 'Messages per second and sending number; 0: no limit.'),
  pairLimit: choice('on', ['on', 'off'], 'Limit per recipient: 1 message in 6 s, burst 45.'),
  unknownWaitS: whole(60, [1, 86_400], 'How long a send of unknown outcome waits for a status.'),
  apiRate: whole(
    1_000,
    [0, 100_000],
    'Requests per second and API key, over all processes; 0: no limit. A key may carry its own.',
  ),
  apiTenantRate: whole(
    2_000,
    [0, 1_000_000],
    'Requests per second and tenant, over all its keys and all processes; 0: no limit.',
  ),
  networkIsSimulator: choice(
    'auto',
    ['auto', 'yes', 'no'],
    'Whether test keys may send. auto: when MESSAGING_NETWORK_URL leads to this machine.',
  ),
  bootstrapApiKey: text(
    '',
    'API key of the first tenant: one of Postrider, or 20 or more characters that nobody guesses. The tenant and its number are made when missing.',
    true,
  ),
  demo: choice('off', ['on', 'off'], 'on: make a demo tenant with a number and print its key.'),
  demoPublic: choice(
    'false',
    ['true', 'false'],
    'true: the demo may listen on a HOST that other machines reach, although its secrets are public.',
  ),
  walletEnabled: choice(
    'false',
    ['true', 'false'],
    'true: messages are paid from the wallet of their tenant. false: the wallet gates nothing.',
  ),
  walletCurrency: checked('EUR', 'Currency of wallets and prices, ISO 4217.', requireCurrency),
  topUpMin: whole(100, [1, 99_999_999], 'Smallest top-up through the payment gateway, in minor units.'),
  topUpMax: whole(1_000_000, [1, 99_999_999], 'Largest top-up through the payment gateway, in minor units.'),
  stripeUrl: text('https://api.stripe.com', 'Address of the payment gateway.'),
  stripeKey: text(
    '',
    'Secret key of the account at the payment gateway. Empty: nothing can be paid into wallets through one.',
    true,
  ),
  stripeWebhookSecret: text(
    '',
    'Secret (whsec_…) that the payment gateway signs its events with. Empty: no events are taken.',
    true,
  ),
  paymentReturnUrl: text(
    'http://127.0.0.1:8080/webhooks/payments/return',
    'Where the payment gateway sends people back to; by default a page of this service that says so.',
  ),
  trustedProxies: checked(
    '',
    'Addresses and networks, comma separated, of the proxies in front: the last address in X-Forwarded-For that is not one of them is the caller. Empty: the caller is whoever connects.',
    parseNetworks,
  ),
  wrongKeyRate: whole(
    20,
    [0, 100_000],
    'Requests with a wrong key per second and address, per process, after a burst of 10 seconds; further ones are answered 429. 0: no limit.',
  ),
  keysPerTenant: whole(
    500,
    [1, 100_000],
    'Working keys that a tenant may make for itself; the operator may make more.',
  ),
  maxConnections: whole(
    10_000,
    [1, 1_000_000],
    'Connections that the API and the callback doors keep open at once, per process; further ones are closed.',
  ),
  callbackBudgetMb: whole(
    64,
    [4, 65_536],
    'Memory for callback bodies over 16 KiB that arrive at once, in MiB per process; further ones are answered 503.',
  ),
  bodyBudgetMb: whole(
    256,
    [16, 65_536],
    'Memory for JSON bodies over 16 KiB of requests with a key, in MiB per process; one tenant may use a quarter.',
  ),
  auditSyslog: checked(
    '',
    'Log server (udp://, tcp:// or tls://host:port) that gets every entry of the audit log of every tenant as syslog (RFC 5424). Empty: none.',
    requireSyslogAddress,
  ),
  smtpUrl: {
    ...checked(
      '',
      'Mail server for invitations, confirmations of addresses and links for forgotten passwords: smtp://user:password@host:587, encrypted by STARTTLS, or smtps://. ?tls=optional lets mail without a password go unencrypted. Empty: no mail is sent.',
      requireSmtpAddress,
    ),
    secret: true,
  },
  smtpFrom: checked(
    '',
    'Whom that mail comes from, such as Flower shop <inbox@example.com>. Set together with MESSAGING_SMTP_URL.',
    requireSender,
  ),
  console: choice(
    'on',
    ['on', 'off'],
    'Whether the web console is served at /. off: the API alone, with its reference at /docs.',
  ),
  corsOrigins: text('', 'Origins that browsers may call from, comma separated. Empty: none.'),
  backupWarnH: whole(
    0,
    [0, 8_784],
    'Hours after which a backup is too old: without a younger one the service warns, and an alert fires. 0: backups are made by other means.',
  ),
  callbackRetentionDays: whole(7, [1, 3650], 'How long raw callbacks are kept for replay.'),
  mediaStore: choice(
    'disk',
    ['disk', 's3'],
    'Where media is kept: disk (the folder media in MESSAGING_DATA_DIR) or s3 (any S3-compatible bucket).',
  ),
  mediaRetentionDays: whole(90, [1, 3650], 'How long media is kept, sent or received.'),
  mediaQuotaMb: whole(0, [0, 100_000_000], 'Stored media per tenant, in MiB; 0: no limit.'),
  openUploads: whole(100, [1, 100_000], 'Unfinished uploads (tus) of one tenant at once.'),
  mediaHosts: text(
    'lookaside.fbsbx.com',
    'Hosts, comma separated, from which media of customers is fetched over HTTPS besides the network address itself.',
  ),
  s3Endpoint: text('', 'Address of the S3-compatible server.'),
  s3Region: text('us-east-1', 'Region of the bucket.'),
  s3Bucket: text('', 'Name of the bucket.'),
  s3AccessKeyId: text('', 'Access key of the bucket.'),
  s3SecretAccessKey: text('', 'Secret of the access key.', true),
  s3Prefix: text('postrider/', 'Stands before the name of every object.'),
  traceEndpoint: checked(
    '',
    'Address of the OpenTelemetry collector that gets traces (OTLP over HTTP), such as http://127.0.0.1:4318. Empty: there are no traces.',
    requireHttpAddress,
  ),
  traceHeaders: text('', 'Headers for the collector: name=value, comma separated and percent-encoded.', true),
  traceService: text('postrider', 'Name of this service in traces.'),
  tracePercent: whole(100, [0, 100], 'How many of a hundred traces are kept.'),
  logLevel: choice('info', ['debug', 'info', 'warn', 'error', 'silent'], 'Least important log lines that are written.'),
} as const satisfies Record<string, Declaration<string> | Declaration<number>>;

type Declarations = typeof declarations;
type Name = keyof Declarations;
export type Config = { readonly [N in Name]: ReturnType<Declarations[N]['parse']> };

type Setting = (Declaration<string> | Declaration<number>) & { readonly key: string };

/** The settings with their keys in the environment. */
export const settings = Object.fromEntries(
  Object.entries(declarations).map(([name, declaration]) => [name, { key: keyOf(name), ...declaration }]),
) as Readonly<Record<Name, Setting>>;

/** Keys that other programs, the tests or the tools read; not ours to warn about. */
const FOREIGN_KEYS = ['MESSAGING_SIMULATOR_', 'MESSAGING_API_KEY', 'MESSAGING_BASE_URL'];

/**
 * Reads and checks all settings.
 * @throws ConfigError with a sentence when a value cannot be used
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const given = setting.secret === true ? secretOf(environment, setting.key) : environment[setting.key];
    return [name, given === undefined || given === '' ? setting.fallback : parseGiven(setting, given)];
  });
  return Object.fromEntries(entries) as Config;
}

function secretOf(environment: Readonly<Record<string, string | undefined>>, key: string): string | undefined {
  try {
    return readSecret(environment, key);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function parseGiven({ key, parse, secret }: Setting, given: string): string | number {
  try {
    return parse(given);
  } catch (error) {
    // Logs are read by more people than settings.
    const shown = secret === true ? key : `${key}=${given}`;
    throw new ConfigError(`${shown}: ${(error as Error).message}`);
  }
}

/** Names that look like settings of ours and are none: probably typing mistakes, or of another version. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set<string>(
    Object.values(settings).flatMap(({ key, secret }) => (secret === true ? [key, fileKeyOf(key)] : [key])),
  );
  return Object.keys(environment).filter((key) => {
    const ours = key.startsWith('MESSAGING_') && !FOREIGN_KEYS.some((prefix) => key.startsWith(prefix));
    return ours && !known.has(key);
  });
}
