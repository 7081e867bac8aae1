import type { Asked } from '#accounts/domain/account-network';
import type { BusinessNetwork, NumberAtNetwork } from '#business/domain/business-network';
import type { ProfileChange } from '#business/domain/number-profile';
import type { QrCode, QrImageFormat } from '#business/domain/qr-code';
import { MAX_QR_CODES } from '#business/domain/qr-code';
import type { Config } from '#runtime/config';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';
import {
  blockedIn,
  blockRefusalIn,
  changedOneIn,
  displayNameIn,
  profileIn,
  type QrCodePage,
  qrCodeIn,
  qrCodesIn,
  startersIn,
  successIn,
  usernameIn,
} from './business-answers.ts';
import { type Ask, type Asker, type Fields, GRAPH_DEADLINE_MS, openGraph } from './graph.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const PROFILE_FIELDS = 'about,address,description,email,profile_picture_url,websites,vertical';
const NAME_FIELDS = 'verified_name,name_status,new_display_name,new_name_status';
const CODE_FIELDS = 'code,prefilled_message,deep_link_url';
const CODES_PER_PAGE = 500;
/** With pages of 50, should the network give no larger ones, all codes that a number can have; a list that never ends does end. */
const MAX_PAGES = MAX_QR_CODES / 50;
const PRODUCT = { messaging_product: 'whatsapp' };

export interface BusinessClient extends BusinessNetwork {
  close(): Promise<void>;
}

/** Where a call goes and what it carries. */
type CallOf = (at: NumberAtNetwork, edge?: string) => Pick<Ask, 'path' | 'token'>;

/** The network's paths about what customers see of a business. Each call tries once and never rejects. */
export function makeBusinessClient(config: Config, deadlineMs = GRAPH_DEADLINE_MS): BusinessClient {
  const { ask, close } = openGraph(config, {
    connections: OUTSIDE_AT_ONCE,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    deadlineMs,
  });
  const call: CallOf = ({ phoneNumberId, token }, edge = '') => ({
    path: `${phoneNumberId}${edge}`,
    token: token ?? config.networkToken,
  });
  return {
    ...profileCalls(ask, call),
    ...starterCalls(ask, call),
    ...qrCodeCalls(ask, call),
    ...nameCalls(ask, call),
    ...blockCalls(ask, call),
    close,
  };
}

function profileCalls(ask: Asker, call: CallOf) {
  const edge = '/whatsapp_business_profile';
  const change = (at: NumberAtNetwork, fields: Fields) =>
    ask({ method: 'POST', ...call(at, edge), body: { ...PRODUCT, ...fields } }, successIn);
  return {
    readProfile: (at) =>
      ask({ method: 'GET', ...call(at, `${edge}?${new URLSearchParams({ fields: PROFILE_FIELDS })}`) }, profileIn),
    changeProfile: (at, wish) => change(at, profileFields(wish)),
    setPicture: (at, handle) => change(at, { profile_picture_handle: handle }),
  } satisfies Partial<BusinessNetwork>;
}

/** An empty text empties a field. */
function profileFields({ vertical, websites, ...texts }: ProfileChange): Fields {
  return {
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? ''])),
    ...(websites === undefined ? {} : { websites }),
    ...(vertical ? { vertical: vertical.toUpperCase() } : {}),
  };
}

function starterCalls(ask: Asker, call: CallOf) {
  return {
    readStarters: (at) => ask({ method: 'GET', ...call(at, '?fields=conversational_automation') }, startersIn),
    changeStarters: (at, { iceBreakers, commands, welcomeMessage }) => {
      const body = {
        ...(welcomeMessage === undefined ? {} : { enable_welcome_message: welcomeMessage }),
        ...(iceBreakers === undefined ? {} : { prompts: iceBreakers }),
        ...(commands === undefined
          ? {}
          : {
              commands: commands.map(({ name, description }) => ({
                command_name: name,
                command_description: description,
              })),
            }),
      };
      return ask({ method: 'POST', ...call(at, '/conversational_automation'), body }, successIn);
    },
  } satisfies Partial<BusinessNetwork>;
}

function qrCodeCalls(ask: Asker, call: CallOf) {
  const edge = '/message_qrdls';
  return {
    listQrCodes: (at, image) => listQrCodes(ask, (query) => call(at, `${edge}?${query}`), image),
    findQrCode: async (at, code, image) => {
      const query = new URLSearchParams({ fields: fieldsWith(image) });
      const found = await ask({ method: 'GET', ...call(at, `${edge}/${code}?${query}`) }, qrCodesIn);
      return found.ok ? { ok: true, value: found.value.codes[0] ?? null } : found;
    },
    createQrCode: (at, message, image) => {
      const body = { prefilled_message: message, generate_qr_image: image.toUpperCase() };
      return ask({ method: 'POST', ...call(at, edge), body }, qrCodeIn);
    },
    changeQrCode: (at, code, message) =>
      ask({ method: 'POST', ...call(at, edge), body: { code, prefilled_message: message } }, qrCodeIn),
    deleteQrCode: (at, code) => ask({ method: 'DELETE', ...call(at, `${edge}/${code}`) }, successIn),
  } satisfies Partial<BusinessNetwork>;
}

async function listQrCodes(
  ask: Asker,
  call: (query: URLSearchParams) => Pick<Ask, 'path' | 'token'>,
  image: QrImageFormat | null,
): Promise<Asked<readonly QrCode[]>> {
  const codes: QrCode[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const from: Record<string, string> = after === null ? {} : { after };
    const query = new URLSearchParams({ fields: fieldsWith(image), limit: String(CODES_PER_PAGE), ...from });
    const asked: Asked<QrCodePage> = await ask({ method: 'GET', ...call(query) }, qrCodesIn);
    if (!asked.ok) return asked;
    codes.push(...asked.value.codes);
    after = asked.value.after;
    if (after === null) break;
  }
  return { ok: true, value: codes };
}

function fieldsWith(image: QrImageFormat | null): string {
  return image === null ? CODE_FIELDS : `${CODE_FIELDS},qr_image_url.format(${image.toUpperCase()})`;
}

function nameCalls(ask: Asker, call: CallOf) {
  const change = (at: NumberAtNetwork, body: Fields) => ask({ method: 'POST', ...call(at), body }, successIn);
  return {
    readDisplayName: (at) =>
      ask({ method: 'GET', ...call(at, `?${new URLSearchParams({ fields: NAME_FIELDS })}`) }, displayNameIn),
    requestDisplayName: (at, name) => change(at, { new_display_name: name }),
    setPin: (at, pin) => change(at, { pin }),
    readUsername: (at) => ask({ method: 'GET', ...call(at, '/username') }, usernameIn),
    setUsername: async (at, { username, transfer }) => {
      const body = { username, ...(transfer ? { transfer_action: 'force_transfer' } : {}) };
      const set = await ask({ method: 'POST', ...call(at, '/username'), body }, usernameIn);
      return set.ok ? { ok: true, value: { ...set.value, username } } : set;
    },
    deleteUsername: (at) => ask({ method: 'DELETE', ...call(at, '/username') }, successIn),
  } satisfies Partial<BusinessNetwork>;
}

function blockCalls(ask: Asker, call: CallOf) {
  const edge = '/block_users';
  return {
    setBlocked: (at, user, isBlocked) => {
      const body = { ...PRODUCT, block_users: [{ user }] };
      const method = isBlocked ? 'POST' : 'DELETE';
      const done = isBlocked ? 'added_users' : 'removed_users';
      return ask({ method, ...call(at, edge), body, refusalIn: blockRefusalIn }, (answer) =>
        changedOneIn(answer, done),
      );
    },
    listBlocked: (at, { limit, after }) => {
      const query = new URLSearchParams({ limit: String(limit), ...(after === null ? {} : { after }) });
      return ask({ method: 'GET', ...call(at, `${edge}?${query}`) }, (answer) => blockedIn(answer, limit));
    },
  } satisfies Partial<BusinessNetwork>;
}
