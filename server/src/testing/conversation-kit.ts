import { addInboundMessages } from '#conversations/actions/add-inbound';
import { replyInConversation } from '#conversations/actions/reply-in-conversation';
import type { Arrival } from '#conversations/domain/conversation-inbound';
import { pairKey } from '#conversations/store/conversation-inbound';
import type { Actor } from '#core/caller/actor';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { MessageAcceptor } from '#messages/actions/accept-message';
import type { Runtime } from '#runtime/runtime';

/** A customer's message, and where it went. */
export interface Written {
  readonly contactId: ContactId;
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
}

interface Parts {
  readonly rt: Runtime;
  readonly db: Database;
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
}

/** Customers who write and people who answer, without a service: by the operations alone, at the time of their clock. */
export interface ConversationKit {
  contacts(count: number): Promise<readonly ContactId[]>;
  /** Each of them writes once, in one transaction. */
  customersWrite(contactIds: readonly ContactId[], fields?: Partial<Arrival>): Promise<readonly Written[]>;
  /** @returns the id of the message */
  answer(conversationId: ConversationId, actor: Actor, how?: How): Promise<string>;
}

interface How {
  readonly force?: boolean;
  /** The newest message that the answerer has seen. */
  readonly seen?: string | null;
  readonly type?: 'text' | 'template';
}

const INSERT_CONTACTS = {
  name: 'test_insert_contacts',
  text: `
insert into contacts (tenant_id, contact_id, phone, created_ms, updated_ms)
select $1, t.id, '44770' || (1000000 + t.n)::text, $3, $3 from unnest($2::uuid[]) with ordinality as t (id, n)`,
};

export function conversationKit(parts: Parts): ConversationKit {
  const { rt, db, tenantId } = parts;
  return {
    contacts: async (count) => {
      const contactIds = Array.from({ length: count }, () => rt.newId<ContactId>());
      await db.run(INSERT_CONTACTS, [tenantId, contactIds, rt.clock.now()]);
      return contactIds;
    },
    customersWrite: (contactIds, fields = {}) => customersWrite(parts, contactIds, fields),
    answer: (conversationId, actor, how = {}) => answer(parts, conversationId, actor, how),
  };
}

function customersWrite(
  { rt, db, tenantId, phoneNumberId }: Parts,
  contactIds: readonly ContactId[],
  fields: Partial<Arrival>,
): Promise<readonly Written[]> {
  const written = contactIds.map((contactId) => ({ contactId, messageId: rt.newId<MessageId>() }));
  return withEvents(rt, db, async (tx, events) => {
    const text = {
      type: 'text',
      body: 'Hi',
      networkMs: rt.clock.now(),
      isReferred: false,
      opensWindow: true,
      waits: true,
      summary: null,
    };
    const pair = { tenantId, phoneNumberId };
    const pairs = written.map(({ contactId, messageId }) => {
      return { ...pair, contactId, arrivals: [{ ...text, ...fields, messageId }] };
    });
    const placing = await addInboundMessages(rt, tx, events, pairs);
    await placing.emit();
    return written.map((one) => {
      const place = placing.conversations.get(pairKey({ ...pair, contactId: one.contactId }));
      if (place === undefined) throw new Error('The message has no conversation.');
      return { ...one, conversationId: place.conversationId };
    });
  });
}

async function answer(parts: Parts, conversationId: ConversationId, actor: Actor, how: How): Promise<string> {
  const { rt, db, tenantId } = parts;
  const template = { name: 'order_ready', language: 'en_US', components: [] };
  const text = { type: 'text', body: 'Hello', previewUrl: false } as const;
  const content = how.type === 'template' ? ({ type: 'template', template } as never) : text;
  const none = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, priority: null };
  const request = { content, ...none, sendAtMs: null, expiresMs: null, ttlS: null };
  const { force = false, seen = null } = how;
  const wish = { tenantId, conversationId, actor, request, force, ifLastMessageId: seen, claim: null };
  return String((await replyInConversation({ rt, db, acceptor: acceptorOf(parts) }, wish)).response.id);
}

/** Checks nothing of its own: what is tested is what happens under the lock of the conversation. */
function acceptorOf({ rt, tenantId, phoneNumberId }: Parts): Pick<MessageAcceptor, 'acceptWith'> {
  return {
    acceptWith: async ({ request, idempotency }, store) => {
      const messageId = rt.newId<MessageId>();
      const nowMs = rt.clock.now();
      const { to, content } = request;
      const times = { sendAtMs: null, expiresMs: nowMs + 86_400_000, createdMs: nowMs };
      const none = {
        campaignName: null,
        clientRef: null,
        replyTo: null,
        resendOf: null,
        author: null,
        priority: 'normal',
      } as const;
      await store({ message: { tenantId, messageId, content, to, phoneNumberId, ...none, ...times }, idempotency });
      return { kind: 'accepted', response: { id: messageId, status: 'queued', type: content.type, to }, warnings: [] };
    },
  };
}
