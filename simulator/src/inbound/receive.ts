/** A customer writes to the business: makes the message, remembers it, and gives it to the callbacks. */
import { contactJson } from '../callbacks/envelope.ts';
import type { InboundUpdate } from '../callbacks/updates.ts';
import { countClick } from '../figures/template-figures.ts';
import { type JsonObject, stringifyAscii } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import { userIdOfPhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';

export type InboundMessage = {
  readonly number: BusinessNumber;
  /** `wa_id` digits; null for a customer whose phone is hidden. */
  readonly from: string | null;
  /** The customer's user id; null: the one that belongs to the phone. */
  readonly userId: string | null;
  readonly name: string | null;
  /** Type and type object, and any other fields; ids and times are filled in when absent. */
  readonly message: JsonObject;
  /** Replaces the contact that would be made. */
  readonly contacts: readonly JsonObject[] | null;
};

/** Stores the message and returns its id and the update that reports it. */
export function receive(
  sim: Simulation,
  inbound: InboundMessage,
): { readonly id: string; readonly update: InboundUpdate } {
  const nowMs = sim.clock.now();
  const { number, from, message } = inbound;
  const userId = inbound.userId ?? (from === null ? null : userIdOfPhone(from));
  const peer = from ?? userId ?? 'unknown';
  const id = typeof message.id === 'string' ? message.id : sim.ids.inbound(peer);
  if (inbound.name !== null) sim.customers.rename(peer, inbound.name);
  const complete = {
    ...(from === null ? {} : { from }),
    ...(userId === null ? {} : { from_user_id: userId }),
    timestamp: String(Math.floor(nowMs / 1000)),
    ...message,
    id,
  };
  sim.customers.noteInbound({
    id,
    phoneNumberId: number.phoneNumberId,
    from: peer,
    userId,
    receivedAtMs: nowMs,
    sendsBefore: sim.ledger.size,
    message: complete,
  });
  countClick(sim, number, peer, complete);
  return {
    id,
    update: {
      kind: 'messages',
      number,
      messageJson: stringifyAscii(complete),
      contactJson: contactsText(sim, inbound, userId),
    },
  };
}

function contactsText(sim: Simulation, inbound: InboundMessage, userId: string | null): string | null {
  if (inbound.contacts !== null) {
    return inbound.contacts.length === 0 ? null : inbound.contacts.map(stringifyAscii).join(',');
  }
  if (userId === null) return null;
  return contactJson(sim.customers.nameOf(inbound.from ?? userId), inbound.from, userId);
}
