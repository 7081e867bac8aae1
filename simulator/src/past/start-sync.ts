/** Hands over what was before the API, as the network does once the business asks for it. */
import { randomUUID } from 'node:crypto';
import { requireNumber } from '../accounts/require-account.ts';
import { type GraphCall, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import { userIdOfPhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';
import type { PastMessage, PhonePast, SyncType } from './phone-past.ts';

const SYNC_TYPES: readonly SyncType[] = ['history', 'smb_app_state_sync'];
const ASKED_BEFORE = 2593107;
const NOT_SHARED = 2593109;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How old the messages of each phase may be. */
const PHASES_MS = [DAY_MS, 90 * DAY_MS, 180 * DAY_MS] as const;
/** Files of older messages stay on the phone. */
const FILES_MS = 14 * DAY_MS;
const FILE_TYPES: ReadonlySet<unknown> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
const PORTION = 500;

/** `POST /{version}/{phone_number_id}/smb_app_data {messaging_product, sync_type}`: each type once for a number. */
export function startSync(sim: Simulation, call: GraphCall): JsonObject {
  const number = requireNumber(sim, call);
  requireStep(sim, 'smb_app_data');
  const { messaging_product: product, sync_type: given } = paramsOf(call);
  if (product !== 'whatsapp') refuseWith(100, "Param messaging_product is required and must be 'whatsapp'.");
  const type = SYNC_TYPES.find((one) => one === given);
  if (type === undefined) return refuseWith(100, `Param sync_type must be one of ${SYNC_TYPES.join(', ')}.`);
  const past = sim.pasts.of(number.phoneNumberId);
  if (past.asked.has(type)) return refuseWith(ASKED_BEFORE, `${type} was asked for before.`);
  past.asked.add(type);
  const values = type === 'history' ? historyOf(past, sim.clock.now()) : bookOf(past, sim.clock.now());
  for (const [index, value] of values.entries()) report(sim, number, { field: type, index, value });
  return { messaging_product: 'whatsapp', request_id: randomUUID() };
}

type Report = { readonly field: SyncType; readonly index: number; readonly value: JsonObject };

function report(sim: Simulation, number: BusinessNumber, { field, index, value }: Report): void {
  const metadata = { display_phone_number: number.displayPhoneNumber, phone_number_id: number.phoneNumberId };
  const whole = { messaging_product: 'whatsapp', metadata, ...withSender(value, number) };
  const atMs = sim.clock.now() + index;
  sim.callbacks.schedule(atMs, {
    kind: 'account',
    field,
    wabaId: number.wabaId,
    atMs,
    value: whole,
    holds: () => true,
  });
}

/** The business writes from its number, which what is kept does not know. */
function withSender(value: JsonObject, { displayPhoneNumber }: BusinessNumber): JsonObject {
  return JSON.parse(
    JSON.stringify(value).replaceAll(`"from":"${BUSINESS}"`, `"from":"${displayPhoneNumber}"`),
  ) as JsonObject;
}

const BUSINESS = 'business';

function bookOf({ book }: PhonePast, nowMs: number): readonly JsonObject[] {
  const metadata = { timestamp: secondsOf(nowMs) };
  const entries = book.map(({ phone, name }) => {
    const contact = { full_name: name, first_name: name.split(' ')[0] ?? name, phone_number: phone };
    return { type: 'contact', contact, action: 'add', metadata };
  });
  return portionsOf(entries).map((state_sync) => ({ state_sync }));
}

function historyOf({ messages, refuses }: PhonePast, nowMs: number): readonly JsonObject[] {
  if (refuses) {
    const message = 'History sharing is turned off by the business.';
    const error = { code: NOT_SHARED, title: message, message, error_data: { details: message } };
    return [{ history: [{ errors: [error] }] }];
  }
  const recent = messages.filter(({ atMs }) => nowMs - atMs <= (PHASES_MS.at(-1) ?? 0));
  const phases = PHASES_MS.map((oldest, phase) => {
    const after = phase === 0 ? 0 : (PHASES_MS[phase - 1] ?? 0);
    return portionsOf(recent.filter(({ atMs }) => nowMs - atMs <= oldest && (phase === 0 || nowMs - atMs > after)));
  });
  // Every phase ends with a portion, also where there is nothing.
  const all = phases.flatMap((portions, phase) =>
    (portions.length === 0 ? [[]] : portions).map((portion, index) => ({ phase, portion, chunk_order: index + 1 })),
  );
  const portions = all.map(({ phase, portion, chunk_order }, index) => {
    const metadata = { phase, chunk_order, progress: Math.round(((index + 1) / all.length) * 100) };
    return { history: [{ metadata, threads: threadsOf(portion) }] };
  });
  const files = recent.filter((one) => isFile(one) && nowMs - one.atMs <= FILES_MS);
  return [...portions, ...portionsOf(files).map((own) => ({ messages: own.map((one) => shown(one)) }))];
}

function threadsOf(portion: readonly PastMessage[]): readonly JsonObject[] {
  const customers = [...new Set(portion.map(({ customer }) => customer))];
  return customers.map((id) => {
    const own = portion.filter(({ customer }) => customer === id);
    const context = { wa_id: id, user_id: userIdOfPhone(id) };
    return {
      id,
      context,
      messages: own.map((one) => ({ ...(isFile(one) ? placeholder(one) : shown(one)), history_context: STATUS })),
    };
  });
}

const STATUS = { status: 'READ' };

function isFile({ message }: PastMessage): boolean {
  return FILE_TYPES.has(message.type);
}

function placeholder(one: PastMessage): JsonObject {
  const { from, to, id, timestamp } = shown(one);
  return { from, ...(to === undefined ? {} : { to }), id, timestamp, type: 'media_placeholder' } as JsonObject;
}

function shown({ customer, isSent, atMs, message }: PastMessage): JsonObject {
  const people = isSent ? { from: BUSINESS, to: customer } : { from: customer };
  return { ...people, timestamp: secondsOf(atMs), ...message };
}

function secondsOf(ms: number): string {
  return String(Math.floor(ms / 1000));
}

function portionsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / PORTION) }, (_, n) =>
    items.slice(n * PORTION, (n + 1) * PORTION),
  );
}
