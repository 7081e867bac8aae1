import type { InboundRecord, PhoneEvent } from '../customers.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { renderTemplate } from '../templates/render-template.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { presentBehavior, readPeer } from './phone-behavior.ts';

// The page shows recent talk; the whole ledger is in /_sim/messages.
const LOOK_BACK = 2_000;
const MAX_PHONES = 200;

type ThreadItem = {
  readonly id: string;
  readonly peer: string;
  readonly phone_number_id: string;
  /** Seen from the customer's phone. */
  readonly direction: 'received' | 'written';
  readonly at: string;
  readonly message: unknown;
  /** Whether whoever got it has read it. */
  readonly read: boolean;
  /** The file that the message shows, when the network has it. */
  readonly file: JsonObject | null;
  /** What the customer reads of a template that exists here. */
  readonly rendered: string | null;
  /** The buttons of that template, as it was approved. */
  readonly buttons: readonly JsonObject[];
  /** Whether it came past the API: from the business's own phone, or a call. */
  readonly past_api: boolean;
};

/** `GET /_sim/phones`: customers with recent messages, the latest talk first. */
export function getPhones(sim: Simulation): ControlAnswer {
  const latest = new Map<string, { last: ThreadItem; count: number }>();
  for (const item of recentItems(sim)) {
    const count = (latest.get(item.peer)?.count ?? 0) + 1;
    latest.delete(item.peer);
    latest.set(item.peer, { last: item, count });
  }
  const phones = [...latest].reverse().slice(0, MAX_PHONES);
  return ok({
    data: phones.map(([peer, { last, count }]) => ({ peer, name: sim.customers.nameOf(peer), messages: count, last })),
  });
}

/** `GET /_sim/phone?peer=`: the recent thread of one customer, oldest first, and which numbers are writing. */
export function getPhone(sim: Simulation, call: ControlCall): ControlAnswer {
  const peer = readPeer(new URL(call.url, 'http://simulator').searchParams.get('peer'));
  const items = recentItems(sim).filter((item) => item.peer === peer);
  const nowMs = sim.clock.now();
  const typing = sim.numbers.list().filter(({ phoneNumberId }) => sim.customers.isTyping(phoneNumberId, peer, nowMs));
  return ok({
    peer,
    name: sim.customers.nameOf(peer),
    behavior: presentBehavior(sim, peer),
    typing: typing.map(({ phoneNumberId }) => phoneNumberId),
    data: items,
  });
}

/** An item and its place in a thread. Items of the same millisecond follow the number of sends that the network had accepted before each. */
type Placed = { readonly item: ThreadItem; readonly sendsBefore: number };

function recentItems(sim: Simulation): readonly ThreadItem[] {
  const offset = Math.max(0, sim.ledger.size - LOOK_BACK);
  const { lines } = sim.ledger.page({}, offset, LOOK_BACK);
  // A send comes after what was there when as many sends were accepted, and before what came with one more.
  const received = lines.map((line, i): Placed => ({ item: receivedItem(sim, line), sendsBefore: offset + i + 0.5 }));
  const written = sim.customers
    .recent()
    .slice(-LOOK_BACK)
    .map((record): Placed => ({ item: writtenItem(sim, record), sendsBefore: record.sendsBefore ?? 0 }));
  const events = sim.customers.events();
  const pastApi = events.map((event): Placed => ({ item: eventItem(sim, event), sendsBefore: event.sendsBefore ?? 0 }));
  return [...received, ...written, ...pastApi].sort(byPlace).map(({ item }) => item);
}

function byPlace(a: Placed, b: Placed): number {
  if (a.item.at !== b.item.at) return a.item.at < b.item.at ? -1 : 1;
  return a.sendsBefore - b.sendsBefore;
}

function writtenItem(sim: Simulation, record: InboundRecord): ThreadItem {
  return {
    id: record.id,
    peer: record.from,
    phone_number_id: record.phoneNumberId,
    direction: 'written',
    at: new Date(record.receivedAtMs).toISOString(),
    message: record.message,
    read: sim.customers.isRead(record),
    file: fileOf(sim, record.message),
    rendered: null,
    buttons: [],
    past_api: false,
  };
}

function eventItem(sim: Simulation, { id, peer, phoneNumberId, isOurs, atMs, message }: PhoneEvent): ThreadItem {
  return {
    id,
    peer,
    phone_number_id: phoneNumberId,
    direction: isOurs ? 'received' : 'written',
    at: new Date(atMs).toISOString(),
    message,
    read: true,
    file: fileOf(sim, message),
    rendered: null,
    buttons: [],
    past_api: true,
  };
}

function receivedItem(sim: Simulation, line: Buffer): ThreadItem {
  const parsed: unknown = JSON.parse(line.toString('utf8'));
  const entry: JsonObject = isJsonObject(parsed) ? parsed : {};
  return {
    id: String(entry.id),
    peer: String(entry.to),
    phone_number_id: String(entry.phone_number_id),
    direction: 'received',
    at: String(entry.accepted_at),
    message: entry.request,
    read: !sim.behaviors.isUnread(String(entry.to), String(entry.id)),
    file: fileOf(sim, entry.request),
    ...templateOf(sim, entry),
    past_api: false,
  };
}

/** The file of a media message, or of the header of one with buttons. */
function fileOf(sim: Simulation, message: unknown): JsonObject | null {
  if (!isJsonObject(message)) return null;
  const holder = isJsonObject(message.interactive) ? message.interactive.header : message;
  const payload = isJsonObject(holder) ? holder[String(holder.type)] : null;
  const item = isJsonObject(payload) ? sim.media.find(String(payload.id), sim.clock.now()) : null;
  return item === null ? null : { id: item.id, mime_type: item.mimeType, bytes: item.bytes, filename: item.fileName };
}

function templateOf(
  sim: Simulation,
  { phone_number_id: phoneNumberId, request }: JsonObject,
): Pick<ThreadItem, 'rendered' | 'buttons'> {
  const template = isJsonObject(request) ? request.template : null;
  const number = sim.numbers.list().find((one) => one.phoneNumberId === phoneNumberId);
  const shown = isJsonObject(template) && number !== undefined ? renderTemplate(sim, number.wabaId, template) : null;
  return { rendered: shown?.text ?? null, buttons: shown?.buttons ?? [] };
}
