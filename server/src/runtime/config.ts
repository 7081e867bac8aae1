import { parseNetworks } from '#core/public-address';
import { parseSyslogAddress } from '#core/syslog-address';

/**
 * Every setting of the service: key, default, meaning, validation. `postrider config` prints this table.
 * Nothing else reads the environment: bin/ hands it in.
 */
interface Setting<T> {
  readonly key: string;
  readonly fallback: T;
  readonly meaning: string;
  readonly secret?: boolean;
  readonly parse: (text: string) => T;
}

function text(key: string, fallback: string, meaning: string, secret = false): Setting<string> {
  return { key, fallback, meaning, secret, parse: (value) => value };
}

function whole(key: string, fallback: number, meaning: string, range: { min: number; max: number }): Setting<number> {
  const parse = (value: string): number => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < range.min || number > range.max) {
      throw new ConfigError(`${key}=${value}: must be a whole number from ${range.min} to ${range.max}.`);
    }
    return number;
  };
  return { key, fallback, meaning, parse };
}

function choice<T extends string>(key: string, fallback: T, choices: readonly T[], meaning: string): Setting<T> {
  const parse = (value: string): T => {
    const found = choices.find((item) => item === value);
    if (!found) throw new ConfigError(`${key}=${value}: must be one of ${choices.join(', ')}.`);
    return found;
  };
  return { key, fallback, meaning, parse };
}

function currency(key: string, fallback: string, meaning: string): Setting<string> {
  const parse = (value: string): string => {
    if (!/^[A-Z]{3}$/.test(value))
      throw new ConfigError(`${key}=${value}: must be three capital letters, such as EUR.`);
    return value;
  };
  return { key, fallback, meaning, parse };
}

function networks(key: string, fallback: string, meaning: string): Setting<string> {
  const parse = (value: string): string => {
    try {
      parseNetworks(value);
    } catch (error) {
      throw new ConfigError(`${key}=${value}: ${(error as Error).message}`);
    }
    return value;
  };
  return { key, fallback, meaning, parse };
}

function syslogAddress(key: string, meaning: string): Setting<string> {
  const parse = (value: string): string => {
    if (parseSyslogAddress(value) === null)
      throw new ConfigError(`${key}=${value}: must be like tcp://logs.internal:601, with udp, tcp or tls.`);
    return value;
  };
  return { key, fallback: '', meaning, parse };
}

/** A setting that cannot be used; the message is meant for the person who set it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const PORTS = { min: 0, max: 65_535 };
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const settings = {
  host: text('HOST', '127.0.0.1', 'Address the API listens on.'),
  port: whole('PORT', 8080, 'Port of the API and of the callbacks of the network.', PORTS),
  metricsPort: whole('MESSAGING_METRICS_PORT', 0, 'Port of /metrics on its own; 0: no separate port.', PORTS),
  metricsAccess: choice(
    'MESSAGING_METRICS_ACCESS',
    'loopback',
    ['loopback', 'anyone'] as const,
    'Who may read /metrics on the port of the API. loopback: programs on this machine that ask directly.',
  ),
  simulatorPort: whole('MESSAGING_SIMULATOR_PORT', 8090, 'Port of the simulator.', PORTS),
  dataDir: text(
    'MESSAGING_DATA_DIR',
    './data',
    'Folder of the embedded database, of media and of the operator socket.',
  ),
  databaseUrl: text('DATABASE_URL', '', 'PostgreSQL 15+ address. Empty: the embedded database.', true),
  databasePool: whole(
    'MESSAGING_DATABASE_POOL',
    10,
    'Connections to PostgreSQL that a process opens at its start and keeps; two more wait for notifications.',
    { min: 4, max: 200 },
  ),
  roles: text(
    'MESSAGING_ROLES',
    'api,receiver,ingester,dispatcher,notifier,campaigner,maintenance',
    'What this process does, comma separated.',
  ),
  networkUrl: text('MESSAGING_NETWORK_URL', 'http://127.0.0.1:8090', 'Base address of the messaging network.'),
  networkVersion: text('MESSAGING_NETWORK_VERSION', 'v25.0', 'Version segment of the network paths.'),
  networkToken: text('MESSAGING_NETWORK_TOKEN', 'simulator-token', 'Access token for the network.', true),
  networkTimeoutMs: whole(
    'MESSAGING_NETWORK_TIMEOUT_MS',
    15_000,
    'How long a send may take before its outcome is unknown.',
    {
      min: 100,
      max: 120_000,
    },
  ),
  sendConcurrency: whole('MESSAGING_SEND_CONCURRENCY', 128, 'Sends in flight at once, per process.', {
    min: 1,
    max: 4096,
  }),
  webhookAllow: text(
    'MESSAGING_WEBHOOK_ALLOW',
    '',
    'Hosts, addresses and networks (10.1.0.0/16), comma separated, to which webhooks may go although they are not public, and over HTTP.',
  ),
  dnsServers: text(
    'MESSAGING_DNS_SERVERS',
    '',
    'Name servers (10.0.0.2, 10.0.0.3:5353), comma separated, for names of webhook endpoints and of all else outside. Empty: those of the system.',
  ),
  webhookConcurrency: whole('MESSAGING_WEBHOOK_CONCURRENCY', 256, 'Webhooks in flight at once, per process.', {
    min: 2,
    max: 4096,
  }),
  webhookEndpoints: whole('MESSAGING_WEBHOOK_ENDPOINTS', 20, 'Webhook endpoints that a tenant may have.', {
    min: 1,
    max: 1_000,
  }),
  platform: text('MESSAGING_PLATFORM', 'meta', 'Name of the network owner in paths; `platform` is always an alias.'),
  appId: text(
    'MESSAGING_APP_ID',
    '1000000000000001',
    'Id of the app at the network; uploads for handles go through it.',
  ),
  appSecret: text(
    'MESSAGING_APP_SECRET',
    'simulator-app-secret',
    'Secret the network signs its callbacks with. While it is changed both, comma separated, the one in force first.',
    true,
  ),
  linkConfigId: text(
    'MESSAGING_LINK_CONFIG_ID',
    '',
    'Id of the login configuration that the dialog for linking accounts is opened with. Empty: none.',
  ),
  dialogUrl: text(
    'MESSAGING_DIALOG_URL',
    '',
    'Base address of the dialog for linking accounts. Empty: www.facebook.com for graph.facebook.com, else the network address itself.',
  ),
  linkCallbackUrl: text(
    'MESSAGING_LINK_CALLBACK_URL',
    '',
    'Address of this service as the browser reaches it, for the way back from the dialog. Empty: as the request for the dialog named it.',
  ),
  encryptionKey: text(
    'MESSAGING_ENCRYPTION_KEY',
    '',
    'Keys for access tokens at rest, each 32 bytes in base64, comma separated: the first encrypts, all decrypt. Empty: a key in MESSAGING_DATA_DIR, or no linking on PostgreSQL with a real network.',
    true,
  ),
  verifyToken: text('MESSAGING_VERIFY_TOKEN', 'simulator-verify-token', 'Token of the callback verification.', true),
  numberRate: whole('MESSAGING_NUMBER_RATE', 80, 'Messages per second and sending number; 0: no limit.', {
    min: 0,
    max: 100_000,
  }),
  pairLimit: choice(
    'MESSAGING_PAIR_LIMIT',
    'on',
    ['on', 'off'] as const,
    'Limit per recipient: 1 message in 6 s, burst 45.',
  ),
  unknownWaitS: whole('MESSAGING_UNKNOWN_WAIT_S', 60, 'How long a send of unknown outcome waits for a status.', {
    min: 1,
    max: 86_400,
  }),
  apiRate: whole(
    'MESSAGING_API_RATE',
    1_000,
    'Requests per second and API key, over all processes; 0: no limit. A key may carry its own.',
    { min: 0, max: 100_000 },
  ),
  apiTenantRate: whole(
    'MESSAGING_API_TENANT_RATE',
    2_000,
    'Requests per second and tenant, over all its keys and all processes; 0: no limit.',
    { min: 0, max: 1_000_000 },
  ),
  networkIsSimulator: choice(
    'MESSAGING_NETWORK_IS_SIMULATOR',
    'auto',
    ['auto', 'yes', 'no'] as const,
    'Whether test keys may send. auto: when MESSAGING_NETWORK_URL leads to this machine.',
  ),
  bootstrapApiKey: text(
    'MESSAGING_BOOTSTRAP_API_KEY',
    '',
    'API key of the first tenant: one of Postrider, or 20 or more characters that nobody guesses. The tenant and its number are made when missing.',
    true,
  ),
  demo: choice(
    'MESSAGING_DEMO',
    'off',
    ['on', 'off'] as const,
    'on: make a demo tenant with a number and print its key.',
  ),
  demoPublic: choice(
    'MESSAGING_DEMO_PUBLIC',
    'false',
    ['true', 'false'] as const,
    'true: the demo may listen on a HOST that other machines reach, although its secrets are public.',
  ),
  walletEnabled: choice(
    'MESSAGING_WALLET_ENABLED',
    'false',
    ['true', 'false'] as const,
    'true: messages are paid from the wallet of their tenant. false: the wallet gates nothing.',
  ),
  walletCurrency: currency('MESSAGING_WALLET_CURRENCY', 'EUR', 'Currency of wallets and prices, ISO 4217.'),
  topUpMin: whole('MESSAGING_TOPUP_MIN', 100, 'Smallest top-up through the payment gateway, in minor units.', {
    min: 1,
    max: 99_999_999,
  }),
  topUpMax: whole('MESSAGING_TOPUP_MAX', 1_000_000, 'Largest top-up through the payment gateway, in minor units.', {
    min: 1,
    max: 99_999_999,
  }),
  stripeUrl: text('MESSAGING_STRIPE_URL', 'https://api.stripe.com', 'Address of the payment gateway.'),
  stripeKey: text(
    'MESSAGING_STRIPE_KEY',
    '',
    'Secret key of the account at the payment gateway. Empty: nothing can be paid into wallets through one.',
    true,
  ),
  stripeWebhookSecret: text(
    'MESSAGING_STRIPE_WEBHOOK_SECRET',
    '',
    'Secret (whsec_…) that the payment gateway signs its events with. Empty: no events are taken.',
    true,
  ),
  paymentReturnUrl: text(
    'MESSAGING_PAYMENT_RETURN_URL',
    'http://127.0.0.1:8080/webhooks/payments/return',
    'Where the payment gateway sends people back to; by default a page of this service that says so.',
  ),
  trustedProxies: networks(
    'MESSAGING_TRUSTED_PROXIES',
    '',
    'Addresses and networks, comma separated, of the proxies in front: the last address in X-Forwarded-For that is not one of them is the caller. Empty: the caller is whoever connects.',
  ),
  wrongKeyRate: whole(
    'MESSAGING_WRONG_KEY_RATE',
    20,
    'Requests with a wrong key per second and address, per process, after a burst of 10 seconds; further ones are answered 429. 0: no limit.',
    { min: 0, max: 100_000 },
  ),
  keysPerTenant: whole(
    'MESSAGING_KEYS_PER_TENANT',
    500,
    'Working keys that a tenant may make for itself; the operator may make more.',
    { min: 1, max: 100_000 },
  ),
  maxConnections: whole(
    'MESSAGING_MAX_CONNECTIONS',
    10_000,
    'Connections that the API and the callback doors keep open at once, per process; further ones are closed.',
    { min: 1, max: 1_000_000 },
  ),
  callbackBudgetMb: whole(
    'MESSAGING_CALLBACK_BUDGET_MB',
    64,
    'Memory for callback bodies over 16 KiB that arrive at once, in MiB per process; further ones are answered 503.',
    { min: 4, max: 65_536 },
  ),
  bodyBudgetMb: whole(
    'MESSAGING_BODY_BUDGET_MB',
    256,
    'Memory for JSON bodies over 16 KiB of requests with a key, in MiB per process; one tenant may use a quarter.',
    { min: 16, max: 65_536 },
  ),
  auditSyslog: syslogAddress(
    'MESSAGING_AUDIT_SYSLOG',
    'Log server (udp://, tcp:// or tls://host:port) that gets every entry of the audit log of every tenant as syslog (RFC 5424). Empty: none.',
  ),
  corsOrigins: text('MESSAGING_CORS_ORIGINS', '', 'Origins that browsers may call from, comma separated. Empty: none.'),
  callbackRetentionDays: whole('MESSAGING_CALLBACK_RETENTION_DAYS', 7, 'How long raw callbacks are kept for replay.', {
    min: 1,
    max: 3650,
  }),
  mediaStore: choice(
    'MESSAGING_MEDIA_STORE',
    'disk',
    ['disk', 's3'] as const,
    'Where media is kept: disk (the folder media in MESSAGING_DATA_DIR) or s3 (any S3-compatible bucket).',
  ),
  mediaRetentionDays: whole('MESSAGING_MEDIA_RETENTION_DAYS', 90, 'How long media is kept, sent or received.', {
    min: 1,
    max: 3650,
  }),
  mediaQuotaMb: whole('MESSAGING_MEDIA_QUOTA_MB', 0, 'Stored media per tenant, in MiB; 0: no limit.', {
    min: 0,
    max: 100_000_000,
  }),
  openUploads: whole('MESSAGING_OPEN_UPLOADS', 100, 'Unfinished uploads (tus) of one tenant at once.', {
    min: 1,
    max: 100_000,
  }),
  mediaHosts: text(
    'MESSAGING_MEDIA_HOSTS',
    'lookaside.fbsbx.com',
    'Hosts, comma separated, from which media of customers is fetched over HTTPS besides the network address itself.',
  ),
  s3Endpoint: text('MESSAGING_S3_ENDPOINT', '', 'Address of the S3-compatible server.'),
  s3Region: text('MESSAGING_S3_REGION', 'us-east-1', 'Region of the bucket.'),
  s3Bucket: text('MESSAGING_S3_BUCKET', '', 'Name of the bucket.'),
  s3AccessKeyId: text('MESSAGING_S3_ACCESS_KEY_ID', '', 'Access key of the bucket.'),
  s3SecretAccessKey: text('MESSAGING_S3_SECRET_ACCESS_KEY', '', 'Secret of the access key.', true),
  s3Prefix: text('MESSAGING_S3_PREFIX', 'postrider/', 'Stands before the name of every object.'),
  logLevel: choice('LOG_LEVEL', 'info', logLevels, 'Least important log lines that are written.'),
} as const satisfies Record<string, Setting<string> | Setting<number>>;

type Settings = typeof settings;
export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]['parse']> };

/** Keys that other programs, the tests or the tools read; not ours to warn about. */
const FOREIGN_KEYS = ['MESSAGING_SIMULATOR_', 'MESSAGING_API_KEY', 'MESSAGING_BASE_URL'];

/**
 * Reads and checks all settings.
 * @throws ConfigError with a sentence when a value cannot be used
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const given = environment[setting.key];
    return [name, given === undefined || given === '' ? setting.fallback : setting.parse(given)];
  });
  return Object.fromEntries(entries) as Config;
}

/** Names that look like settings of ours and are none: probably typing mistakes, or of another version. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.key));
  return Object.keys(environment).filter((key) => {
    const ours = key.startsWith('MESSAGING_') && !FOREIGN_KEYS.some((prefix) => key.startsWith(prefix));
    return ours && !known.has(key);
  });
}
