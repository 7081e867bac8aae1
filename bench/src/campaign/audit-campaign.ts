import type { LedgerEntry } from '../chaos/evidence.ts';

/** A recipient as the database has it when all is over. */
export interface RecipientEvidence {
  readonly phone: string;
  readonly status: string;
  readonly messageId: string | null;
  /** The service said itself that the message may have arrived twice: its outcome was unknown, and it was sent again. */
  readonly possibleDuplicate: boolean;
}

/** The counts of a campaign as the API showed them at one moment. */
export interface CampaignCounts {
  readonly total: number;
  readonly waiting: number;
  readonly queued: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface CampaignEvidence {
  readonly recipients: readonly RecipientEvidence[];
  /** What the network accepted, by its own record; messages that are not of the campaign are left out. */
  readonly ledger: readonly LedgerEntry[];
  /** What the API showed, in order; the last is of the end. */
  readonly samples: readonly CampaignCounts[];
  /** Who said STOP before the turn came. */
  readonly stopped: readonly string[];
  /** Accepts of the campaign during its pause, once its queue was empty. */
  readonly acceptsWhilePaused: number;
}

export interface CampaignVerdict {
  readonly violations: readonly string[];
  readonly accepts: number;
  readonly explainedDuplicates: number;
}

/** Compares the three records of a campaign: what the network took, what the database says, what the API showed. */
export function auditCampaign(evidence: CampaignEvidence): CampaignVerdict {
  const accepts = countBy(evidence.ledger.map((entry) => entry.to));
  const repeated = evidence.recipients.filter(({ phone }) => (accepts.get(phone) ?? 0) > 1);
  const explained = repeated.filter(({ possibleDuplicate }) => possibleDuplicate);
  const violations = [
    ...repeated
      .filter(({ possibleDuplicate }) => !possibleDuplicate)
      .map(({ phone }) => `duplicate: ${phone} has ${accepts.get(phone)} accepts and no unknown outcome.`),
    ...evidence.recipients.flatMap((recipient) => recordOf(recipient, accepts.get(recipient.phone) ?? 0)),
    ...strangersOf(evidence),
    ...evidence.samples.flatMap(sumOf),
    ...endOf(evidence),
    ...evidence.stopped
      .filter((phone) => accepts.has(phone))
      .map((phone) => `stop: ${phone} said STOP before its turn and got a message.`),
    ...(evidence.acceptsWhilePaused > 0
      ? [`pause: ${evidence.acceptsWhilePaused} messages left while the campaign was paused.`]
      : []),
  ];
  return { violations, accepts: evidence.ledger.length, explainedDuplicates: explained.length };
}

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function recordOf({ phone, status }: RecipientEvidence, accepts: number): readonly string[] {
  if (status === 'sent' && accepts === 0) return [`lost: ${phone} counts as sent and the network has nothing.`];
  if (status === 'skipped' && accepts > 0) return [`unrecorded: ${phone} counts as skipped and got a message.`];
  if (status !== 'sent' && status !== 'failed' && status !== 'skipped') return [`lost: ${phone} is still ${status}.`];
  return [];
}

/** Every accept is the message of a recipient. */
function strangersOf({ recipients, ledger }: CampaignEvidence): readonly string[] {
  const known = new Map(recipients.map(({ phone, messageId }) => [phone, messageId]));
  return ledger
    .filter(({ to, messageId }) => known.get(to) !== messageId)
    .map(({ to, messageId }) => `unrecorded: the network took ${messageId} for ${to}, which is not its message.`);
}

function sumOf(counts: CampaignCounts): readonly string[] {
  const { total, waiting, queued, sent, failed, skipped } = counts;
  if (waiting + queued + sent + failed + skipped === total) return [];
  return [`sums: ${JSON.stringify(counts)} does not add up.`];
}

function endOf({ recipients, samples }: CampaignEvidence): readonly string[] {
  const last = samples.at(-1);
  const by = countBy(recipients.map(({ status }) => status));
  const says = (status: 'sent' | 'failed' | 'skipped') => last?.[status] === (by.get(status) ?? 0);
  if (last?.total === recipients.length && says('sent') && says('failed') && says('skipped')) return [];
  return [`sums: the campaign says ${JSON.stringify(last)}, its recipients ${JSON.stringify([...by])}.`];
}
