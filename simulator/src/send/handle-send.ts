import type { IncomingMessage, ServerResponse } from 'node:http';
import { scheduleStatuses } from '../callbacks/schedule-statuses.ts';
import type { SentMessage } from '../callbacks/updates.ts';
import { answer, cut, refuse } from '../graph/answer.ts';
import { authorise, tokenOf } from '../graph/authorise.ts';
import { type NetworkError, networkError, unknownObject } from '../graph/errors.ts';
import { scheduleReply } from '../inbound/magic-reply.ts';
import { type JsonObject, parseJsonObject, quoteAscii } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { categoryOfSend, knownTemplate } from '../templates/check-send.ts';
import type { Garbage } from './garbage.ts';
import { checkMarkRead } from './mark-read.ts';
import { checkMarketing, MARKETING_CATEGORY } from './marketing.ts';
import { isRefusal } from './payloads/text.ts';
import { readMembers } from './read-members.ts';
import { checkReferences } from './references.ts';
import { type CheckedSend, checkSend } from './validate.ts';
import { type Acceptance, decide, type Verdict } from './verdict.ts';

const SAID_FIRST_STEPS = 2;
const STATUSES_FIRST_MAX_MS = 1000;

type SendCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly phoneNumberId: string;
  readonly query: string;
  readonly text: string;
  readonly edge: SendEdge;
};

/** Where messages are posted to, below a number. */
export type SendEdge = 'messages' | 'marketing_messages';

/** `POST /{version}/{phone_number_id}/messages`: a message, or a mark-as-read; `…/marketing_messages`: a template of marketing. */
export function handleSend(sim: Simulation, call: SendCall): void {
  const { response } = call;
  const wish = readWish(sim, call);
  if (wish.kind === 'refused') refuse(sim, response, wish.error);
  else if (wish.kind === 'mark_read') answer(sim, response, 200, '{"success":true}');
  else carryOut(sim, { ...wish, response }, decide(sim, wish.number, wish.send));
}

type Wish =
  | { readonly kind: 'refused'; readonly error: NetworkError }
  | { readonly kind: 'mark_read' }
  | {
      readonly kind: 'send';
      readonly number: BusinessNumber;
      readonly send: CheckedSend;
      readonly edge: SendEdge;
      /** The body as JSON, for the ledger. */
      readonly text: string;
    };

/** What the caller wants, or why it is not even considered. */
function readWish(sim: Simulation, call: SendCall): Wish {
  const denied = authorise(sim, call.request, call.query);
  if (denied !== null) return { kind: 'refused', error: denied };
  const number = sim.numbers.find(call.phoneNumberId, sim.settings.strictNumbers);
  if (number === null) return { kind: 'refused', error: unknownObject('post', call.phoneNumberId) };
  const barred = senderFault(sim, call, number);
  if (barred !== null) return { kind: 'refused', error: barred };
  const parsed = parseJsonObject(call.text);
  if (parsed === null) return { kind: 'refused', error: networkError(100, 'The request body is not a JSON object.') };
  const body = readMembers(parsed, call.text);
  if (isRefusal(body)) return { kind: 'refused', error: body };
  const isMarketing = call.edge === 'marketing_messages';
  if (body.status !== undefined && !isMarketing) {
    const fault = checkMarkRead(sim, body);
    if (fault === null) {
      sim.customers.markRead(String(body.message_id), body.typing_indicator !== undefined, sim.clock.now());
    }
    return fault === null ? { kind: 'mark_read' } : { kind: 'refused', error: fault };
  }
  const send = checkSend(body);
  if ('code' in send) return { kind: 'refused', error: send };
  const fault = (isMarketing ? checkMarketing(sim, number.wabaId, body) : null) ?? checkReferences(sim, number, send);
  if (fault !== null) return { kind: 'refused', error: fault };
  return { kind: 'send', number, send, edge: call.edge, text: body === parsed ? call.text : JSON.stringify(body) };
}

/** A number must be registered, and the token must have been given for its account. */
function senderFault(sim: Simulation, call: SendCall, number: BusinessNumber): NetworkError | null {
  if (!number.registered) return networkError(133010);
  const reached = sim.tokens.reaches(tokenOf(call.request, call.query) ?? '', number.wabaId);
  return reached ? null : networkError(200, 'The access token was not given for this account.');
}

type Sending = {
  readonly number: BusinessNumber;
  readonly send: CheckedSend;
  readonly edge: SendEdge;
  readonly text: string;
  readonly response: ServerResponse;
};

function carryOut(sim: Simulation, sending: Sending, verdict: Verdict): void {
  const { response } = sending;
  switch (verdict.kind) {
    case 'accept':
      accept(sim, sending, verdict);
      break;
    case 'refuse':
      later(sim, verdict.delayMs, () => refuse(sim, response, verdict.error));
      break;
    case 'garble':
      sim.stats.sendRefused('non_json');
      later(sim, verdict.delayMs, () => garble(response, verdict.answer));
      break;
    case 'drop':
      sim.stats.sendRefused('drop_before_accept');
      cut(sim, response);
      break;
    case 'hang':
      sim.stats.sendRefused('hang');
      break;
    case 'drip':
      sim.stats.sendRefused('drip');
      response.writeHead(200, { 'Content-Type': 'application/json; charset=UTF-8' });
      drip(sim, response, verdict.everyMs);
      break;
  }
}

function garble(response: ServerResponse, { httpStatus, contentType, body }: Garbage): void {
  if (response.destroyed) return;
  response.writeHead(httpStatus, { 'Content-Type': contentType });
  response.end(body);
}

function drip(sim: Simulation, response: ServerResponse, everyMs: number): void {
  if (response.destroyed) return;
  response.write(' ');
  sim.timers.after(everyMs, () => drip(sim, response, everyMs));
}

/** Records the message; what follows from it happens when the record is safe. */
function accept(sim: Simulation, sending: Sending, verdict: Acceptance): void {
  const { number, send, edge, text } = sending;
  const acceptedAtMs = sim.clock.now();
  const message: SentMessage = {
    number,
    id: sim.ids.outbound(send.to),
    to: send.to,
    kind: send.kind,
    hidesPhone: verdict.hidesPhone,
    bizJson: send.biz === null ? null : quoteAscii(send.biz),
    type: send.type,
    templateCategory: send.type === 'template' ? paidAs(sim, number, { send, edge }) : null,
    templateId: send.type === 'template' ? (knownTemplate(sim, number.wabaId, send.body)?.id ?? null) : null,
    counted: 0,
  };
  sim.stats.sendAccepted();
  sim.figures.sent(message, acceptedAtMs);
  sim.numbers.noteSender(number);
  sim.customers.stopTyping(number.phoneNumberId, send.to);
  if (verdict.readsByHand) sim.behaviors.leaveUnread(message);
  const entry = {
    id: message.id,
    phoneNumberId: number.phoneNumberId,
    to: send.to,
    type: send.type,
    bizJson: message.bizJson ?? 'null',
    acceptedAtMs,
    requestJson: oneLine(text, send.body),
  };
  sim.ledger.append(entry, () => followUp(sim, sending, message, { verdict, acceptedAtMs }));
}

function paidAs(sim: Simulation, number: BusinessNumber, { send, edge }: Pick<Sending, 'send' | 'edge'>): string {
  return edge === 'marketing_messages' ? MARKETING_CATEGORY : categoryOfSend(sim, number.wabaId, send.body);
}

type Decision = { readonly verdict: Acceptance; readonly acceptedAtMs: number };

function followUp(sim: Simulation, { send, response }: Sending, message: SentMessage, decision: Decision): void {
  const { verdict, acceptedAtMs } = decision;
  const said = verdict.statusesFirst ? SAID_FIRST_STEPS : 0;
  scheduleStatuses(sim, message, verdict.plan, acceptedAtMs, said);
  if (verdict.reply !== null) scheduleReply(sim, message, verdict.reply, send.body);
  if (verdict.cutsAnswer) {
    cut(sim, response);
    return;
  }
  const { garbage } = verdict;
  const write = (): void =>
    garbage === null ? answer(sim, response, 200, successBody(send, message)) : garble(response, garbage);
  const respond = (): void => later(sim, verdict.delayMs, write);
  if (said > 0) sayFirst(sim, message, decision, respond);
  else respond();
}

/** Posts the first statuses and responds when the receiver has taken them, or after a second. */
function sayFirst(sim: Simulation, message: SentMessage, decision: Decision, respond: () => void): void {
  const steps = decision.verdict.plan.slice(0, SAID_FIRST_STEPS);
  const atMs = decision.acceptedAtMs;
  const said = sim.callbacks.postNow(steps.map((step) => ({ kind: 'statuses', message, step, atMs })));
  let responded = false;
  const once = (): void => {
    if (responded) return;
    responded = true;
    sim.timers.cancel(patience);
    respond();
  };
  const patience = sim.timers.after(STATUSES_FIRST_MAX_MS, once);
  void said.then(once);
}

function successBody(send: CheckedSend, message: SentMessage): string {
  const identity = send.kind === 'user' ? 'user_id' : 'wa_id';
  // Only template sends return a message_status.
  const status = send.type === 'template' ? ',"message_status":"accepted"' : '';
  return (
    `{"messaging_product":"whatsapp","contacts":[{"input":${quoteAscii(send.input)},"${identity}":"${send.to}"}],` +
    `"messages":[{"id":"${message.id}"${status}}]}`
  );
}

/** The ledger holds one line per entry; a body that was sent with line breaks is rewritten. */
function oneLine(text: string, body: JsonObject): string {
  return text.includes('\n') || text.includes('\r') ? JSON.stringify(body) : text;
}

function later(sim: Simulation, delayMs: number, run: () => void): void {
  if (delayMs > 0) sim.timers.after(delayMs, run);
  else run();
}
