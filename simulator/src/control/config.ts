import type { JsonObject } from '../json.ts';
import type { Settings, Sha256Form } from '../settings.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import {
  httpUrl,
  InputError,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  readObject,
  refuseUnknown,
} from './fields.ts';

const MAX_STATUS_DELAY_MS = 30 * 24 * 3600 * 1000;
// "Up to 1,000 updates per POST" is the network's own bound.
const MAX_BATCH = 1000;
const MAX_CONNECTIONS = 1000;
const MAX_SECONDS = 366 * 24 * 3600;
const VERIFY_TIMEOUT_MS = 10_000;

type Reader = (body: JsonObject, key: string) => unknown;

/** Wire name, setting, and how the value is read. `null` clears what may be absent. */
const FIELDS: readonly (readonly [string, keyof Settings, Reader])[] = [
  ['callback_url', 'callbackUrl', readUrl],
  ['verify_token', 'verifyToken', optionalString],
  ['app_secret', 'appSecret', optionalString],
  ['tokens', 'tokens', readTokens],
  ['number_rate', 'numberRate', (body, key) => optionalNumber(body, key, 0, 1_000_000)],
  ['pair_limit', 'pairLimit', optionalBoolean],
  ['strict_numbers', 'strictNumbers', optionalBoolean],
  ['sent_ms', 'sentMs', readDelay],
  ['delivered_ms', 'deliveredMs', readDelay],
  ['read_ms', 'readMs', readDelay],
  ['flush_ms', 'flushMs', (body, key) => optionalInteger(body, key, 1, 1000)],
  ['callback_batch_max', 'callbackBatchMax', (body, key) => optionalInteger(body, key, 1, MAX_BATCH)],
  ['callback_connections', 'callbackConnections', (body, key) => optionalInteger(body, key, 1, MAX_CONNECTIONS)],
  ['callback_timeout_ms', 'callbackTimeoutMs', (body, key) => optionalInteger(body, key, 1, 600_000)],
  ['escape_slashes', 'escapeSlashes', optionalBoolean],
  ['default_phone_number_id', 'defaultPhoneNumberId', readNumberId],
  ['media_url_seconds', 'mediaUrlSeconds', (body, key) => optionalInteger(body, key, 0, MAX_SECONDS)],
  ['sha256_form', 'sha256Form', readShaForm],
  ['sniff_media', 'sniffMedia', optionalBoolean],
  ['strict_templates', 'strictTemplates', optionalBoolean],
  ['enforce_window', 'enforceWindow', optionalBoolean],
  ['oauth_code_seconds', 'oauthCodeSeconds', (body, key) => optionalInteger(body, key, 0, MAX_SECONDS)],
  ['oauth_token_seconds', 'oauthTokenSeconds', (body, key) => optionalInteger(body, key, 0, MAX_SECONDS)],
  ['app_id', 'appId', readNumberId],
  ['gateway_callback_url', 'gatewayCallbackUrl', readUrl],
  ['gateway_webhook_secret', 'gatewayWebhookSecret', optionalString],
  ['gateway_key', 'gatewayKey', readKey],
];

/** `GET /_sim/config`: everything that can be changed, the app secret included: this network is a toy. */
export function getConfig(sim: Simulation): ControlAnswer {
  return ok(present(sim.settings));
}

/**
 * `PUT /_sim/config`: changes the fields that are given. With `"verify": true` the callback address is asked the
 * network's verification question first; when it does not return the challenge, nothing changes and the answer is 400.
 */
export async function putConfig(sim: Simulation, call: ControlCall): Promise<ControlAnswer> {
  const body = readObject(call.text);
  refuseUnknown(body, [...FIELDS.map(([wire]) => wire), 'verify']);
  const changes: Record<string, unknown> = {};
  for (const [wire, setting, read] of FIELDS) {
    const value = read(body, wire);
    if (value !== undefined) changes[setting] = value;
  }
  const settings: Settings = { ...sim.settings, ...changes };
  if (optionalBoolean(body, 'verify') !== true) return apply(sim, changes, {});
  if (settings.callbackUrl === null) throw new InputError('"verify" needs a "callback_url".');
  const challenge = String(1_000_000_000 + (Number.parseInt(sim.ids.mediaId().slice(-9), 10) % 1_000_000_000));
  const verified = await sim.client.verify(settings.callbackUrl, settings.verifyToken, challenge, VERIFY_TIMEOUT_MS);
  if (!verified) {
    throw new InputError(`${settings.callbackUrl} did not answer the verification with status 200 and the challenge.`);
  }
  return apply(sim, changes, { verified });
}

function apply(sim: Simulation, changes: JsonObject, extra: JsonObject): ControlAnswer {
  sim.settings = { ...sim.settings, ...changes };
  return ok({ ...present(sim.settings), ...extra });
}

function present(settings: Settings): JsonObject {
  return Object.fromEntries(FIELDS.map(([wire, setting]) => [wire, settings[setting]]));
}

function readUrl(body: JsonObject, key: string): string | null | undefined {
  if (body[key] === null) return null;
  const text = optionalString(body, key);
  return text === undefined ? undefined : httpUrl(text, key);
}

function readDelay(body: JsonObject, key: string): number | undefined {
  return optionalInteger(body, key, 0, MAX_STATUS_DELAY_MS);
}

function readNumberId(body: JsonObject, key: string): string | null | undefined {
  if (body[key] === null) return null;
  const id = optionalString(body, key);
  if (id !== undefined && !/^[0-9]{1,32}$/.test(id)) throw new InputError(`"${key}" must be a string of digits.`);
  return id;
}

function readShaForm(body: JsonObject, key: string): Sha256Form | undefined {
  const form = optionalString(body, key);
  if (form === undefined || form === 'hex' || form === 'base64') return form;
  throw new InputError(`"${key}" must be hex or base64.`);
}

function readKey(body: JsonObject, key: string): string | null | undefined {
  return body[key] === null ? null : optionalString(body, key);
}

function readTokens(body: JsonObject, key: string): readonly string[] | null | undefined {
  const value = body[key];
  if (value === undefined || value === null) return value;
  const valid = Array.isArray(value) && value.every((token) => typeof token === 'string' && token !== '');
  if (!valid) throw new InputError(`"${key}" must be null (any token) or an array of tokens.`);
  return value as readonly string[];
}
