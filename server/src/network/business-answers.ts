/** Reads what the network answers about a business: null where what is wanted is not there. */
import type { NetworkPage } from '#business/domain/business-network';
import type { ConversationStarters } from '#business/domain/conversation-starters';
import type { DisplayName, Username } from '#business/domain/number-names';
import type { NumberProfile } from '#business/domain/number-profile';
import type { QrCode } from '#business/domain/qr-code';
import { cutText } from '#core/json';
import type { AnsweredError } from '#core/network/network-answer';
import { afterIn, type Fields, fieldsOf } from './graph.ts';

/** Far above every text of the network, and above its addresses of pictures. */
const MAX_TEXT = 4_000;
/** Far above every list of the network. */
const MAX_ITEMS = 100;
/** Of what the database can hold. */
const MAX_CODE = 2_147_483_647;
/** "UNDEFINED": nothing was chosen. */
const NO_VERTICAL = 'undefined';

/** "success" of a change. */
export function successIn({ success }: Fields): true | null {
  return success === true || success === 'true' ? true : null;
}

/** "The response is an array with one profile." */
export function profileIn({ data }: Fields): NumberProfile | null {
  if (!Array.isArray(data)) return null;
  const profile = fieldsOf(data[0]);
  const vertical = wordOf(profile.vertical);
  return {
    about: textOf(profile.about),
    address: textOf(profile.address),
    description: textOf(profile.description),
    email: textOf(profile.email),
    websites: itemsOf(profile.websites)
      .map(textOf)
      .filter((text) => text !== null),
    vertical: vertical === NO_VERTICAL ? null : vertical,
    pictureUrl: textOf(profile.profile_picture_url),
  };
}

/** A number for which nothing was ever set lacks the member. */
export function startersIn({ id, conversational_automation: automation }: Fields): ConversationStarters | null {
  if (typeof id !== 'string') return null;
  const { prompts, commands, enable_welcome_message: welcome } = fieldsOf(automation);
  return {
    iceBreakers: itemsOf(prompts)
      .map(textOf)
      .filter((text) => text !== null),
    commands: itemsOf(commands)
      .map(fieldsOf)
      .map((command) => ({
        name: textOf(command.command_name) ?? '',
        description: textOf(command.command_description) ?? '',
      })),
    welcomeMessage: welcome === true,
  };
}

/** A page of codes. */
export interface QrCodePage {
  readonly codes: readonly QrCode[];
  /** Null on the last page. */
  readonly after: string | null;
}

/** One code comes as a list too. */
export function qrCodesIn({ data, paging }: Fields): QrCodePage | null {
  if (!Array.isArray(data)) return null;
  const codes = data.map((item) => qrCodeIn(fieldsOf(item))).filter((code) => code !== null);
  return { codes, after: afterIn(paging) };
}

/** A code without its address is none. */
export function qrCodeIn(node: Fields): QrCode | null {
  const [code, link] = [textOf(node.code), textOf(node.deep_link_url)];
  if (code === null || link === null) return null;
  return { code, link, message: textOf(node.prefilled_message) ?? '', imageUrl: textOf(node.qr_image_url) };
}

/** "NONE": no other name was asked for. */
export function displayNameIn(node: Fields): DisplayName | null {
  if (typeof node.id !== 'string') return null;
  const requestedName = textOf(node.new_display_name);
  return {
    name: textOf(node.verified_name),
    status: wordOf(node.name_status),
    requestedName,
    requestedStatus: requestedName === null ? null : wordOf(node.new_name_status),
  };
}

/** A number without a username lacks the members. */
export function usernameIn({ username, status }: Fields): Username {
  return { username: textOf(username), status: wordOf(status) };
}

/** The one user of a request, among those whom the network blocked or unblocked. */
export function changedOneIn({ block_users: lists }: Fields, done: 'added_users' | 'removed_users'): true | null {
  return itemsOf(fieldsOf(lists)[done]).length > 0 ? true : null;
}

/** Why the one user of a request was refused: the error of the whole answer only says that somebody was. */
export function blockRefusalIn({ block_users: lists }: Fields): AnsweredError | null {
  const [user] = itemsOf(fieldsOf(lists).failed_users);
  const [error] = itemsOf(fieldsOf(user).errors);
  const { code, message, error_data: data } = fieldsOf(error);
  const number = typeof code === 'string' ? Number(code) : code;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > MAX_CODE) return null;
  return { code: number, details: textOf(fieldsOf(data).details) ?? textOf(message) ?? '' };
}

/** A page of customers who are blocked. The network's examples have no `next`: a full page without one may have another behind it. */
export function blockedIn({ data, paging }: Fields, limit: number): NetworkPage<string> | null {
  if (!Array.isArray(data)) return null;
  const names = data.map((item) => textOf(fieldsOf(item).wa_id) ?? textOf(fieldsOf(item).user_id));
  const { after } = fieldsOf(fieldsOf(paging).cursors);
  const behind = data.length >= limit && typeof after === 'string' ? after : null;
  return { items: names.filter((name) => name !== null), after: afterIn(paging) ?? behind };
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}

function wordOf(value: unknown): string | null {
  return textOf(value)?.toLowerCase() ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_TEXT) : null;
}
