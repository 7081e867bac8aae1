import { Pool } from 'undici';
import type { AccountNetwork, Asked, NetworkNumber, TokenReach } from '#core/account-network';
import { type TransferFailure, transferFailure } from '#core/media-transfer';
import type { Config } from '#runtime/config';

/** Linking is rare, and a person waits for it. */
const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
/** Registering a number takes the network some seconds. */
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const PAGE_SIZE = 100;
/** "Max 20 numbers per account": far above it, so that a list that never ends does end. */
const MAX_PAGES = 20;
/** What sending and managing need. */
const PERMISSIONS = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,platform_type,throughput,status,whatsapp_business_manager_messaging_limit';
/** Ids stand in paths; the network's are digits. */
const NETWORK_ID = /^[0-9]{1,32}$/;
const MAX_TOKEN_CHARACTERS = 4_000;
/** A word of the network, or a name; longer ones are cut. */
const MAX_WORD_CHARACTERS = 200;

type Fields = Readonly<Record<string, unknown>>;

interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Null: the call says who asks by itself. */
  readonly token: string | null;
  readonly body?: object;
}

/** Asks once. @param read what is wanted of a success; null when it is not there */
type Asker = <T>(ask: Ask, read: (answer: Fields) => T | null) => Promise<Asked<T>>;

export interface AccountClient extends AccountNetwork {
  close(): Promise<void>;
}

export function makeAccountClient(config: Config): AccountClient {
  const base = new URL(config.networkUrl);
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const ask = makeAsker(pool, `${base.pathname.replace(/\/$/, '')}/${config.networkVersion}`);
  return {
    exchange: ({ code, redirectUri }) => {
      const query = { client_id: config.appId, client_secret: config.appSecret, redirect_uri: redirectUri, code };
      return ask({ method: 'GET', path: `oauth/access_token?${new URLSearchParams(query)}`, token: null }, readToken);
    },
    inspect: async (token) => {
      const path = `debug_token?${new URLSearchParams({ input_token: token })}`;
      const asked = await ask({ method: 'GET', path, token: `${config.appId}|${config.appSecret}` }, readReach);
      return asked.ok ? asked.value : asked;
    },
    subscribe: (token, id) => ask({ method: 'POST', path: `${id}/subscribed_apps`, token, body: {} }, readSuccess),
    listNumbers: (token, id) => listNumbers(ask, token, id),
    describe: (token, id) =>
      ask({ method: 'GET', path: `${id}?${new URLSearchParams({ fields: NUMBER_FIELDS })}`, token }, readNumber),
    register: (token, id, pin) =>
      ask({ method: 'POST', path: `${id}/register`, token, body: { messaging_product: 'whatsapp', pin } }, readSuccess),
    close: () => pool.destroy(),
  };
}

function makeAsker(pool: Pool, prefix: string): Asker {
  return async (ask, read) => {
    const authorization = ask.token === null ? {} : { authorization: `Bearer ${ask.token}` };
    const content = ask.body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await pool.request({
        method: ask.method,
        path: `${prefix}/${ask.path}`,
        headers: { ...authorization, ...content },
        body: ask.body === undefined ? null : JSON.stringify(ask.body),
      });
      const text = await answer.body.text();
      const value = answer.statusCode === 200 ? read(fieldsOf(parse(text))) : null;
      if (value !== null) return { ok: true, value };
      return failed(transferFailure(answer.statusCode, text, answer.headers['retry-after']));
    } catch (error) {
      // Only the code: a message could repeat the address, in which the secret of the app stands.
      const { code } = error as { readonly code?: unknown };
      const why = typeof code === 'string' ? code : 'broken off';
      return failed({ kind: 'unreachable', reason: `The network could not be reached (${why}).` });
    }
  };
}

function failed(failure: TransferFailure): { readonly ok: false; readonly failure: TransferFailure } {
  return { ok: false, failure };
}

function readToken({ access_token: token, expires_in: seconds }: Fields) {
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_CHARACTERS) return null;
  return { token, expiresInS: typeof seconds === 'number' && seconds > 0 ? seconds : null };
}

function readSuccess({ success }: Fields): true | null {
  return success === true || success === 'true' ? true : null;
}

/** A token that does not count is described too, with status 200: a refusal inside of a success. */
function readReach({ data }: Fields): Asked<TokenReach> | null {
  const { is_valid: isValid, granular_scopes: granted, error } = fieldsOf(data);
  if (isValid !== true) return failed(transferFailure(401, JSON.stringify({ error: error ?? {} }), undefined));
  const scopes = Array.isArray(granted) ? granted.map(fieldsOf) : [];
  const lacking = PERMISSIONS.filter((name) => !scopes.some(({ scope }) => scope === name));
  return { ok: true, value: { accountIds: commonTargets(scopes), lacking } };
}

/** Accounts that every permission reaches. "Missing target_ids: all", so such a permission narrows nothing. */
function commonTargets(scopes: readonly Fields[]): readonly string[] {
  const lists = scopes
    .filter(({ scope, target_ids: ids }) => PERMISSIONS.includes(String(scope)) && Array.isArray(ids))
    .map(({ target_ids: ids }) => (ids as readonly unknown[]).map(String));
  const [first = [], ...others] = lists;
  const common = first.filter((id) => NETWORK_ID.test(id) && others.every((list) => list.includes(id)));
  return [...new Set(common)];
}

async function listNumbers(ask: Asker, token: string, accountId: string): Promise<Asked<readonly NetworkNumber[]>> {
  const numbers: NetworkNumber[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: Record<string, string> = {
      fields: NUMBER_FIELDS,
      limit: String(PAGE_SIZE),
      ...(after === null ? {} : { after }),
    };
    const path: string = `${accountId}/phone_numbers?${new URLSearchParams(query)}`;
    const asked: Asked<NumberPage> = await ask({ method: 'GET', path, token }, readPage);
    if (!asked.ok) return asked;
    numbers.push(...asked.value.numbers);
    after = asked.value.after;
    if (after === null) break;
  }
  return { ok: true, value: numbers };
}

interface NumberPage {
  readonly numbers: readonly NetworkNumber[];
  /** Null on the last page. */
  readonly after: string | null;
}

function readPage({ data, paging }: Fields): NumberPage | null {
  if (!Array.isArray(data)) return null;
  const { cursors, next } = fieldsOf(paging);
  const { after } = fieldsOf(cursors);
  const numbers = data.map((item) => readNumber(fieldsOf(item))).filter((number) => number !== null);
  // "absent on the last page"
  return { numbers, after: typeof next === 'string' && typeof after === 'string' ? after : null };
}

function readNumber(node: Fields): NetworkNumber | null {
  const { id, display_phone_number: shown, status, platform_type: platform, throughput } = node;
  const displayPhone = typeof shown === 'string' ? shown.replace(/\D/g, '') : '';
  if (typeof id !== 'string' || !NETWORK_ID.test(id) || displayPhone === '') return null;
  return {
    phoneNumberId: id,
    displayPhone,
    verifiedName: wordOf(node.verified_name),
    qualityRating: wordOf(node.quality_rating),
    messagingLimit: wordOf(node.whatsapp_business_manager_messaging_limit),
    throughput: wordOf(fieldsOf(throughput).level),
    networkStatus: wordOf(status),
    isConnected: status === 'CONNECTED' && platform === 'CLOUD_API',
  };
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== ''
    ? value.replaceAll('\u0000', '').slice(0, MAX_WORD_CHARACTERS)
    : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
