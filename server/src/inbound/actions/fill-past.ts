import type { ContactWork } from '#contacts/actions/save-contacts';
import { showChangedPreviews } from '#conversations/store/changed-previews';
import type { TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import { fillReceived, findReceived, type KnownReceived } from '#inbound/store/past-batch';
import { readInboundMedia } from '#media/domain/inbound-media';
import { insertManyInboundMedia } from '#media/store/inbound-media';
import { summarizeInbound } from '#messages/domain/inbound-summary';
import { fillSent, findSent, type KnownSent } from '#messages/store/past-messages';
import { type OwnedPast, type PastRow, toPastRow } from './past-rows.ts';

/** A message of the history that is stored. */
export type KnownPast = (KnownReceived & { readonly isSent: false }) | (KnownSent & { readonly isSent: true });

interface FillPast extends OwnedPast {
  readonly stored: KnownPast;
}

/** Which messages are stored, however they came, by the network's ids. */
export async function findKnown(
  tx: Transaction,
  tenantId: TenantId,
  past: readonly OwnedPast[],
): Promise<ReadonlyMap<string, KnownPast>> {
  const sent = past.filter(({ item }) => item.said.direction === 'outbound');
  const received = past.filter(({ item }) => item.said.direction === 'inbound');
  const recipients = new Set(
    sent.flatMap(({ item: { from, userId } }) => [from, userId].filter((one) => one !== null)),
  );
  const networkIds = (all: readonly OwnedPast[]) => all.map(({ item }) => item.networkMessageId);
  const knownSent = await findSent(tx, tenantId, { recipients: [...recipients], networkIds: networkIds(sent) });
  const knownReceived = await findReceived(tx, tenantId, networkIds(received));
  return new Map([
    ...knownSent.map((one): [string, KnownPast] => [one.networkMessageId, { ...one, isSent: true }]),
    ...knownReceived.map((one): [string, KnownPast] => [one.networkMessageId, { ...one, isSent: false }]),
  ]);
}

/** Completes messages that are stored: files take the place of the marks that stood for them, and what became of a message is noted. */
export async function fillKnown({ tx, nowMs }: ContactWork, fills: readonly FillPast[]): Promise<void> {
  const told = fills.map((one) => ({ ...one, row: toPastRow(one, nowMs) }));
  await fillSent(
    tx,
    told.flatMap(({ row, stored, item }) => {
      if (!row.isSent) return [];
      const isFilled = stored.isEmpty && !item.isEmpty;
      const { tenantId, stage, networkMs, type, content } = row;
      const said = isFilled ? { type, content } : { type: null, content: null };
      return [{ tenantId, messageId: stored.messageId, stage, networkMs, ...said }];
    }),
  );
  const filled = told.filter(({ stored, item }) => stored.isEmpty && !item.isEmpty);
  const received = filled.flatMap(({ row, stored }) => (row.isSent ? [] : [{ ...row, messageId: stored.messageId }]));
  await fillReceived(tx, received);
  await insertManyInboundMedia(
    tx,
    received.flatMap((row) => {
      const media = readInboundMedia(row.type, row.content);
      return media === null ? [] : [{ ...row, media, nowMs }];
    }),
  );
  await showChangedPreviews(
    tx,
    filled.flatMap(({ row, stored: { messageId, conversationId } }) =>
      conversationId === null
        ? []
        : [{ tenantId: row.tenantId, messageId, conversationId, text: textOf(row), type: row.type }],
    ),
  );
}

function textOf(row: PastRow): string | null {
  return row.body ?? (row.isSent ? null : summarizeInbound(row.type, row.content));
}
