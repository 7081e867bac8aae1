/** What of a simulated network outlives its process: one JSON text. */
import type { KeptAccounts } from '../accounts/account-registry.ts';
import type { KeptTokens } from '../accounts/token-registry.ts';
import type { KeptBusiness } from '../business/business-registry.ts';
import type { Waiting } from '../callbacks/dispatcher.ts';
import type { StatusStep } from '../callbacks/plan.ts';
import type { SentMessage } from '../callbacks/updates.ts';
import type { Behavior } from '../customer-behavior.ts';
import type { KeptCustomers } from '../customers.ts';
import type { KeptFigures } from '../figures/figure-book.ts';
import type { KeptFlows } from '../flows/flow-registry.ts';
import { isJsonObject, parseJsonObject } from '../json.ts';
import type { MediaItem } from '../media/media-store.ts';
import type { KeptNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { type ReviewPolicy, resumeReview } from '../templates/review.ts';
import type { KeptTemplates } from '../templates/template-store.ts';

/** Grows when what is kept changes its form; a file of another version is not read. */
const VERSION = 1;
/** The page shows so many; the ledger's own file has all of them. */
const MAX_SENDS = 2_000;
const MAX_SENDS_BYTES = 16 * 1024 * 1024;
const MAX_WAITING = 20_000;

/** A message whose number is named rather than held. */
type KeptMessage = Omit<SentMessage, 'number'> & { readonly phoneNumberId: string };

type KeptUpdate =
  | {
      readonly kind: 'statuses';
      readonly dueMs: number;
      readonly message: KeptMessage;
      readonly step: StatusStep;
      readonly atMs: number;
    }
  | {
      readonly kind: 'messages' | 'calls';
      readonly dueMs: number;
      readonly phoneNumberId: string;
      readonly messageJson: string;
      readonly contactJson: string | null;
    };

type Snapshot = {
  readonly version: number;
  readonly clockOffsetMs: number;
  readonly numbers: readonly KeptNumber[];
  readonly lastSender: string | null;
  readonly accounts: KeptAccounts;
  /** Absent: an earlier program kept none. */
  readonly business?: KeptBusiness;
  /** The same. */
  readonly flows?: KeptFlows;
  /** The same. */
  readonly figures?: KeptFigures;
  readonly tokens: KeptTokens;
  readonly templates: KeptTemplates;
  readonly review: ReviewPolicy;
  readonly media: readonly MediaItem[];
  readonly customers: KeptCustomers;
  readonly behaviors: readonly (readonly [peer: string, behavior: Behavior])[];
  readonly unread: readonly KeptMessage[];
  /** Lines of the ledger, oldest first. */
  readonly sends: readonly string[];
  readonly updates: readonly KeptUpdate[];
};

/** The state as it is at this moment. */
export function takeSnapshot(sim: Simulation): string {
  const nowMs = sim.clock.now();
  const { behaviors, unread } = sim.behaviors.dump();
  const snapshot: Snapshot = {
    version: VERSION,
    clockOffsetMs: sim.clock.offsetMs,
    numbers: sim.numbers.dump(),
    lastSender: sim.numbers.lastSender?.phoneNumberId ?? null,
    accounts: sim.accounts.dump(),
    business: sim.business.dump(),
    flows: sim.flows.dump(),
    figures: sim.figures.dump(),
    tokens: sim.tokens.dump(),
    templates: sim.templates.dump(nowMs),
    review: sim.review,
    media: sim.media.dump(nowMs),
    customers: sim.customers.dump(nowMs),
    behaviors,
    unread: unread.map(keptMessage),
    sends: recentSends(sim),
    updates: sim.callbacks.waiting().slice(0, MAX_WAITING).flatMap(keptUpdate),
  };
  return JSON.stringify(snapshot);
}

/**
 * Puts a snapshot into a simulation in which nothing has happened yet.
 * @throws Error when the text is none; the simulation may then hold a part of it
 */
export function applySnapshot(sim: Simulation, text: string): void {
  const snapshot = readSnapshot(text);
  sim.clock.advance(snapshot.clockOffsetMs);
  sim.numbers.load(snapshot.numbers);
  if (snapshot.lastSender !== null) sim.numbers.noteSender(numberOf(sim, snapshot.lastSender));
  sim.accounts.load(snapshot.accounts);
  sim.business.load(snapshot.business);
  sim.flows.load(snapshot.flows);
  sim.figures.load(snapshot.figures);
  sim.tokens.load(snapshot.tokens);
  sim.templates.load(snapshot.templates);
  sim.review = snapshot.review;
  sim.media.load(snapshot.media);
  sim.customers.load(snapshot.customers);
  sim.behaviors.load(snapshot.behaviors);
  for (const message of snapshot.unread) sim.behaviors.leaveUnread(sentMessage(sim, message));
  for (const line of snapshot.sends) sim.ledger.restore(line);
  for (const template of snapshot.templates.templates) resumeReview(sim, template);
  for (const update of snapshot.updates) resumeUpdate(sim, update);
}

function readSnapshot(text: string): Snapshot {
  const parsed = parseJsonObject(text);
  if (parsed === null) throw new Error('it is not a JSON object');
  if (parsed.version !== VERSION)
    throw new Error(`it has version ${String(parsed.version)}, and this program reads ${VERSION}`);
  const lists = ['numbers', 'media', 'behaviors', 'unread', 'sends', 'updates'];
  const objects = ['accounts', 'tokens', 'templates', 'review', 'customers'];
  const missing =
    lists.find((name) => !Array.isArray(parsed[name])) ?? objects.find((name) => !isJsonObject(parsed[name]));
  if (missing !== undefined) throw new Error(`"${missing}" is missing`);
  return parsed as unknown as Snapshot;
}

/** The newest sends, as many as fit. */
function recentSends(sim: Simulation): readonly string[] {
  const { lines } = sim.ledger.page({}, Math.max(0, sim.ledger.size - MAX_SENDS), MAX_SENDS);
  let bytes = 0;
  const newestFirst = lines.toReversed().filter((line) => {
    bytes += line.length;
    return bytes <= MAX_SENDS_BYTES;
  });
  return newestFirst.toReversed().map((line) => line.toString('utf8'));
}

/** What is reported of accounts follows from the templates, which are kept. */
function keptUpdate({ dueMs, update }: Waiting): readonly KeptUpdate[] {
  switch (update.kind) {
    case 'statuses': {
      const { message, step, atMs } = update;
      return [{ kind: 'statuses', dueMs, message: keptMessage(message), step, atMs }];
    }
    case 'messages':
    case 'calls': {
      const { kind, number, messageJson, contactJson } = update;
      return [{ kind, dueMs, phoneNumberId: number.phoneNumberId, messageJson, contactJson }];
    }
    case 'account':
      return [];
  }
}

function resumeUpdate(sim: Simulation, update: KeptUpdate): void {
  const { dueMs } = update;
  if (update.kind === 'statuses') {
    const { message, step, atMs } = update;
    sim.callbacks.schedule(dueMs, { kind: 'statuses', message: sentMessage(sim, message), step, atMs });
    return;
  }
  const { kind, phoneNumberId, messageJson, contactJson } = update;
  sim.callbacks.schedule(dueMs, {
    kind,
    number: numberOf(sim, phoneNumberId),
    messageJson,
    contactJson,
  });
}

function keptMessage({ number, ...message }: SentMessage): KeptMessage {
  return { ...message, phoneNumberId: number.phoneNumberId };
}

function sentMessage(sim: Simulation, { phoneNumberId, ...message }: KeptMessage): SentMessage {
  return { ...message, number: numberOf(sim, phoneNumberId) };
}

function numberOf(sim: Simulation, phoneNumberId: string) {
  const number = sim.numbers.find(phoneNumberId, false);
  if (number === null) throw new Error(`the number ${phoneNumberId} is missing`);
  return number;
}
