/** Writes callbacks by string concatenation; `quoteAscii` has already made every foreign text ASCII. */
import type { Customers } from '../customers.ts';
import { statusErrorsJson } from '../graph/errors.ts';
import { quoteAscii, stringifyAscii } from '../json.ts';
import { userIdOfPhone } from '../recipient.ts';
import type { AccountUpdate, Batch, SentMessage, StatusUpdate } from './updates.ts';

const FREE_SERVICE =
  '"pricing":{"billable":false,"pricing_model":"PMP","type":"free_customer_service","category":"service"}';

/** Templates are paid by their category, everything else is free. */
function pricing({ templateCategory }: SentMessage): string {
  if (templateCategory === null) return FREE_SERVICE;
  return `"pricing":{"billable":true,"pricing_model":"PMP","type":"regular","category":"${templateCategory}"}`;
}

/** The body of one POST: the bytes that are signed and sent. */
export function renderBatch(batch: Batch, customers: Customers, escapeSlashes: boolean): string {
  const contacts: string[] = [];
  const items: string[] = [];
  const seen = new Set<string>();
  for (const update of batch.updates) {
    if (update.kind === 'account') return slashed(accountBody(update), escapeSlashes);
    if (update.kind !== 'statuses') {
      items.push(update.messageJson);
      addContact(contacts, seen, update.contactJson);
    } else {
      items.push(statusJson(update));
      // The network sends no contact with a failed status.
      if (update.step.status !== 'failed') addContact(contacts, seen, statusContactJson(update.message, customers));
    }
  }
  const contactsJson = contacts.length === 0 ? '' : `"contacts":[${contacts.join(',')}],`;
  const field = batch.kind === 'calls' ? 'calls' : 'messages';
  const body = `${prefixOf(batch)}${contactsJson}"${batch.kind}":[${items.join(',')}]},"field":"${field}"}]}]}`;
  return slashed(body, escapeSlashes);
}

function slashed(body: string, escapeSlashes: boolean): string {
  return escapeSlashes ? body.replaceAll('/', '\\/') : body;
}

function prefixOf({ updates: [first] }: Batch): string {
  if (first === undefined || first.kind === 'account') return '';
  return (first.kind === 'statuses' ? first.message.number : first.number).callbackPrefix;
}

/** Changes of accounts carry a time, and their samples name the object last. */
function accountBody({ wabaId, field, value, atMs }: AccountUpdate): string {
  const time = Math.floor(atMs / 1000);
  return stringifyAscii({
    entry: [{ id: wabaId, time, changes: [{ field, value }] }],
    object: 'whatsapp_business_account',
  });
}

/** One contact as callbacks show it; `waId` null: the customer's phone is hidden. */
export function contactJson(name: string, waId: string | null, userId: string): string {
  const phone = waId === null ? '' : `"wa_id":"${waId}",`;
  return `{"profile":{"name":${quoteAscii(name)}},${phone}"user_id":"${userId}"}`;
}

/** The user id of a message's recipient. */
export function recipientUserId(message: SentMessage): string {
  return message.kind === 'user' ? message.to : userIdOfPhone(message.to);
}

function addContact(contacts: string[], seen: Set<string>, json: string | null): void {
  if (json === null || seen.has(json)) return;
  seen.add(json);
  contacts.push(json);
}

function statusContactJson(message: SentMessage, customers: Customers): string | null {
  if (message.kind === 'group') return null;
  const waId = showsPhone(message) ? message.to : null;
  return contactJson(customers.nameOf(message.to), waId, recipientUserId(message));
}

function statusJson(update: StatusUpdate): string {
  const { message, step } = update;
  const biz = message.bizJson === null ? '' : `,"biz_opaque_callback_data":${message.bizJson}`;
  const price = step.priced ? `,${pricing(message)}` : '';
  const errors = step.errorCode === undefined ? '' : `,"errors":${statusErrorsJson(step.errorCode)}`;
  return (
    `{"id":"${message.id}","status":"${step.status}","timestamp":"${Math.floor(update.atMs / 1000)}"` +
    `${recipientMembers(message, step.status === 'failed')}${biz}${price}${errors}}`
  );
}

function recipientMembers(message: SentMessage, failed: boolean): string {
  if (message.kind === 'group') return `,"recipient_type":"group","recipient_id":"${message.to}"`;
  const phone = showsPhone(message) ? `,"recipient_id":"${message.to}"` : '';
  // A failed message that was addressed to a phone names no user id.
  const user = failed && phone !== '' ? '' : `,"recipient_user_id":"${recipientUserId(message)}"`;
  return phone + user;
}

function showsPhone(message: SentMessage): boolean {
  return message.kind === 'phone' && !message.hidesPhone;
}
