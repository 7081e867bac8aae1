import { readAppSecrets } from '#core/app-secrets';
import { mayBeApiKey, secretPart } from '#core/caller/api-key';
import { isLoopbackHost, isLoopbackUrl } from '#core/loopback';
import { isGuessable } from '#core/secret-strength';
import { type Config, ConfigError, settings } from './config.ts';
import { networkIsSimulated } from './simulated.ts';

/**
 * Checked before anything is created: with a secret that everybody can read in the sources, or guess, the service would
 * accept callbacks and payments from anybody.
 * @throws ConfigError with a sentence per setting that must change
 */
export function requireSafeSettings(config: Config): void {
  const faults = unsafeSettings(config);
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
}

/** One sentence per setting with which a process of these roles must not start. */
export function unsafeSettings(config: Config): readonly string[] {
  return [...networkFaults(config), ...paymentFaults(config), ...bootstrapFaults(config), ...demoFaults(config)];
}

/** Whether API keys and messages cross the wire unencrypted unless a proxy in front adds TLS. */
export function speaksPlainHttp({ host }: Pick<Config, 'host'>): boolean {
  return !isLoopbackHost(host);
}

/** Nobody but this machine reaches the simulator on it, so its published secrets are harmless there. */
function simulatedHere(config: Config): boolean {
  return networkIsSimulated(config) && isLoopbackUrl(config.networkUrl);
}

function plays(config: Config, role: string): boolean {
  return config.roles.split(',').some((name) => name.trim() === role);
}

function networkFaults(config: Config): readonly string[] {
  if (simulatedHere(config)) return [];
  const receiver = plays(config, 'receiver');
  return [
    ...(receiver ? secretFaults('appSecret', readAppSecrets(config.appSecret)) : []),
    ...(receiver ? secretFaults('verifyToken', [config.verifyToken]) : []),
    ...(plays(config, 'dispatcher') ? secretFaults('networkToken', [config.networkToken]) : []),
  ];
}

/** What the gateway of the simulator signs with, in every `npm start`. */
const SIMULATED_GATEWAY_SECRET = 'whsec_simulator';

function paymentFaults(config: Config): readonly string[] {
  const { stripeWebhookSecret: secret } = config;
  if (secret === '' || !plays(config, 'receiver')) return [];
  if (simulatedHere(config) && isLoopbackUrl(config.stripeUrl)) return [];
  if (secret === SIMULATED_GATEWAY_SECRET)
    return [`${settings.stripeWebhookSecret.key} is the public secret of the simulated gateway: set your own.`];
  return secretFaults('stripeWebhookSecret', [secret]);
}

function secretFaults(
  name: 'appSecret' | 'verifyToken' | 'networkToken' | 'stripeWebhookSecret',
  secrets: readonly string[],
): readonly string[] {
  const { key, fallback } = settings[name];
  // Also one of several: while a secret is rotated, each of them opens the door.
  if (secrets.some((secret) => secret === fallback))
    return [`${key} has its public default value: set your own, because the network is not the simulator here.`];
  if (secrets.some(isGuessable))
    return [`${key} is easy to guess: use 16 or more characters, at least 8 of them different.`];
  return [];
}

const MIN_BOOTSTRAP_KEY = 20;

function bootstrapFaults({ bootstrapApiKey: apiKey }: Config): readonly string[] {
  if (apiKey === '') return [];
  const { key } = settings.bootstrapApiKey;
  if (!mayBeApiKey(apiKey))
    return [`${key} begins like a key of Postrider, but its checksum is wrong: copy the whole key again.`];
  const secret = secretPart(apiKey);
  if (secret.length < MIN_BOOTSTRAP_KEY || isGuessable(secret))
    return [`${key} is easy to guess: use ${MIN_BOOTSTRAP_KEY} or more characters, at least 8 of them different.`];
  return [];
}

function demoFaults({ demo, demoPublic, host }: Config): readonly string[] {
  if (demo === 'off' || demoPublic === 'true' || isLoopbackHost(host)) return [];
  const { key } = settings.demoPublic;
  return [`HOST=${host}: other machines could use the demo, whose secrets are public. Set ${key}=true if they may.`];
}
