import type { AccountNetwork, Asked, NetworkNumber, PastKind, TokenReach } from '#accounts/domain/account-network';
import { readAppSecrets } from '#core/app-secrets';
import { cutText } from '#core/json';
import { transferFailure } from '#core/network/transfer-failure';
import type { Config } from '#runtime/config';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';
import { type Asker, afterIn, type Fields, failed, fieldsOf, GRAPH_DEADLINE_MS, openGraph } from './graph.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
const PAGE_SIZE = 100;
/** "Max 20 numbers per account": far above it, so that a list that never ends does end. */
const MAX_PAGES = 20;
/** What sending and managing need. */
const PERMISSIONS = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,platform_type,throughput,status,whatsapp_business_manager_messaging_limit';
/** Ids are part of paths; the network's are digits. */
const NETWORK_ID = /^[0-9]{1,32}$/;
/** E.164 has 15. */
const MAX_PHONE_DIGITS = 20;
/** A token that lives longer counts as one without an end. */
const MAX_TOKEN_LIFE_S = 10 * 365 * 24 * 60 * 60;
/** "The access token has expired or was revoked": what a refusal without a reason means here. */
const TOKEN_REFUSED = { code: 190, message: 'The token is not valid.' };
const MAX_TOKEN_CHARACTERS = 4_000;
/** The network's words for what was before the API. */
const SYNC_TYPES: Readonly<Record<PastKind, string>> = { contacts: 'smb_app_state_sync', messages: 'history' };
/** A word of the network, or a name; longer ones are cut. */
const MAX_WORD_CHARACTERS = 200;

export interface AccountClient extends AccountNetwork {
  close(): Promise<void>;
}

export function makeAccountClient(config: Config, deadlineMs = GRAPH_DEADLINE_MS): AccountClient {
  const [appSecret] = readAppSecrets(config.appSecret);
  const { ask, close } = openGraph(config, {
    connections: OUTSIDE_AT_ONCE,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    deadlineMs,
  });
  return {
    exchange: ({ code, redirectUri }) => {
      const query = { client_id: config.appId, client_secret: appSecret, redirect_uri: redirectUri, code };
      return ask({ method: 'GET', path: `oauth/access_token?${new URLSearchParams(query)}`, token: null }, readToken);
    },
    inspect: async (token) => {
      const path = `debug_token?${new URLSearchParams({ input_token: token })}`;
      const asked = await ask({ method: 'GET', path, token: `${config.appId}|${appSecret}` }, readReach);
      return asked.ok ? asked.value : asked;
    },
    subscribe: (token, id) => ask({ method: 'POST', path: `${id}/subscribed_apps`, token, body: {} }, readSuccess),
    listNumbers: (token, id) => listNumbers(ask, token, id),
    describe: (token, id) =>
      ask({ method: 'GET', path: `${id}?${new URLSearchParams({ fields: NUMBER_FIELDS })}`, token }, readNumber),
    register: (token, id, pin) =>
      ask({ method: 'POST', path: `${id}/register`, token, body: { messaging_product: 'whatsapp', pin } }, readSuccess),
    startSync: (token, id, kind) => {
      const body = { messaging_product: 'whatsapp', sync_type: SYNC_TYPES[kind] };
      return ask(
        { method: 'POST', path: `${id}/smb_app_data`, token: token ?? config.networkToken, body },
        readRequestId,
      );
    },
    close,
  };
}

/** Without an id the network has taken the request all the same. */
function readRequestId({ request_id: id }: Fields): string {
  return wordOf(id) ?? '';
}

function readToken({ access_token: token, expires_in: seconds }: Fields) {
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_CHARACTERS) return null;
  return { token, expiresInS: isSpan(seconds) ? Math.ceil(seconds) : null };
}

function isSpan(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds > 0 && seconds <= MAX_TOKEN_LIFE_S;
}

function readSuccess({ success }: Fields): true | null {
  return success === true || success === 'true' ? true : null;
}

/** A token that does not count is described too, with status 200: a refusal inside of a success. */
function readReach({ data }: Fields): Asked<TokenReach> | null {
  const { is_valid: isValid, granular_scopes: granted, error } = fieldsOf(data);
  if (isValid !== true)
    return failed(transferFailure(401, JSON.stringify({ error: error ?? TOKEN_REFUSED }), undefined));
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
  const numbers = data.map((item) => readNumber(fieldsOf(item))).filter((number) => number !== null);
  return { numbers, after: afterIn(paging) };
}

function readNumber(node: Fields): NetworkNumber | null {
  const { id, display_phone_number: shown, status, platform_type: platform, throughput } = node;
  const displayPhone = typeof shown === 'string' ? shown.replace(/\D/g, '') : '';
  if (typeof id !== 'string' || !NETWORK_ID.test(id) || displayPhone === '' || displayPhone.length > MAX_PHONE_DIGITS)
    return null;
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
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_WORD_CHARACTERS) : null;
}
