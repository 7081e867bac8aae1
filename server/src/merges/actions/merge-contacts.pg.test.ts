import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { createContact } from '#contacts/actions/manage-contacts';
import type { ContactId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { type SentRow, settleSent } from '#messages/store/settle-batch';
import { type CampaignKit, openCampaignKit } from '#testing/campaign-kit';
import { conversationKit } from '#testing/conversation-kit';
import { untilWaiting } from '#testing/database/until-waiting';
import { mergeContacts } from './merge-contacts.ts';
import { unmergeContacts } from './unmerge-contact.ts';

const actor = { kind: 'key', id: null } as const;
let kit: CampaignKit;

beforeAll(async () => {
  kit = await openCampaignKit();
});
afterAll(() => kit.close());

async function run<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return (await kit.db.run<Row>({ name: `test ${text}`.slice(0, 60), text }, values)).rows;
}

async function makeContact(tenantId: TenantId, phone: string): Promise<ContactId> {
  const made = await createContact(kit.rt, kit.db, { tenantId, onConflict: 'refuse' }, { phone });
  return made.contact.contactId;
}

/** A message that is on its way to the network, as it will be settled. */
async function makeClaimed(tenantId: TenantId, to: string): Promise<SentRow> {
  const messageId = kit.rt.newId<MessageId>();
  const content = { type: 'text', body: 'Hello', previewUrl: false } as const;
  const none = {
    phoneNumberId: null,
    campaignName: null,
    clientRef: null,
    replyTo: null,
    resendOf: null,
    author: null,
    priority: null,
  };
  const times = { sendAtMs: null, expiresMs: null, ttlS: null };
  await kit.acceptor.accept(tenantId, { to, content, ...none, ...times, messageId }, null);
  await run('update send_queue set state = 1, epoch = 1 where tenant_id = $1 and message_id = $2', [
    tenantId,
    messageId,
  ]);
  const networkMessageId = `wamid.${messageId}`;
  return { tenantId, messageId, networkMessageId, attempt: 1, acceptedMs: kit.rt.clock.now() };
}

interface Scene {
  readonly row: SentRow;
  /** Gives the number of the message to another contact. */
  readonly change: () => Promise<unknown>;
  /** Whose it is then. */
  readonly owner: ContactId;
}

async function makeScene(how: 'merged' | 'unmerged', hasConversation: boolean): Promise<Scene> {
  const { tenantId } = await kit.make();
  const phone = kit.freshPhone();
  const survivorId = await makeContact(tenantId, kit.freshPhone());
  const mergedId = await makeContact(tenantId, phone);
  const row = await makeClaimed(tenantId, phone);
  if (hasConversation) {
    const [number] = await run<{ id: PhoneNumberId }>(
      'select phone_number_id as id from send_queue where tenant_id = $1',
      [tenantId],
    );
    if (number === undefined) throw new Error('The message has a number.');
    const customer = { rt: kit.rt, db: kit.db, tenantId, phoneNumberId: number.id };
    await conversationKit(customer).customersWrite([mergedId]);
  }
  const pair = { tenantId, origin: OPERATOR, versions: null, actor };
  const merge = () => mergeContacts(kit.rt, kit.db, { ...pair, contactId: survivorId, mergedId });
  if (how === 'merged') return { row, change: merge, owner: survivorId };
  await merge();
  const unmerge = () => unmergeContacts(kit.rt, kit.db, { tenantId, origin: OPERATOR, contactId: mergedId, actor });
  return { row, change: unmerge, owner: mergedId };
}

async function contactOf({ tenantId, messageId }: SentRow): Promise<string | undefined> {
  const text = `
select m.contact_id as id, c.contact_id as conversed from outbound_messages m
left join conversations c on c.tenant_id = m.tenant_id and c.conversation_id = m.conversation_id
where m.tenant_id = $1 and m.message_id = $2`;
  const [found] = await run<{ id: string; conversed: string | null }>(text, [tenantId, messageId]);
  expect(found?.conversed ?? found?.id).toBe(found?.id);
  return found?.id;
}

describe.each([
  ['merged', false],
  ['merged', true],
  ['unmerged', false],
  ['unmerged', true],
] as const)('while contacts are %s (with a conversation: %s), a message that is settled', (how, hasConversation) => {
  test('in a transaction that ends later belongs to the contact that has the number then', async () => {
    const { row, change, owner } = await makeScene(how, hasConversation);
    const changed = await kit.db.transaction(async (tx) => {
      await settleSent(tx, [row], 9);
      const work = change();
      await untilWaiting(kit.db, 1, work);
      return { work };
    });
    await changed.work;
    expect(await contactOf(row)).toBe(owner);
  });

  test('by a process that found its contact before the merge, belongs to the contact that has the number then', async () => {
    const { row, change, owner } = await makeScene(how, hasConversation);
    const both = await kit.db.transaction(async (tx) => {
      // The last thing that the change writes: until then no other transaction sees it.
      await tx.run({ name: 'test_hold', text: 'lock table contact_merges in share mode' }, []);
      const changed = change();
      await untilWaiting(kit.db, 1, changed);
      const settled = settleSent(kit.db, [row], 9);
      await untilWaiting(kit.db, 2, settled);
      return [changed, settled];
    });
    await Promise.all(both);
    expect(await contactOf(row)).toBe(owner);
  });
});
