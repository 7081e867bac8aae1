/** What a tenant can have kept for less time than the installation keeps it. */
export const retentionKinds = [
  'messages',
  'received_media',
  'uploads',
  'events',
  'webhook_deliveries',
  'rule_decisions',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** Days, by kind. Null: without end, or, of what a tenant wants: as the installation. */
export type DaysByKind = Readonly<Record<RetentionKind, number | null>>;

/** What a tenant wants; kinds that are absent are kept as the installation keeps them. */
export type OwnRetention = Readonly<Partial<Record<RetentionKind, number>>>;

/** What a tenant may choose from. */
export interface RetentionLimits {
  readonly shortest: Readonly<Record<RetentionKind, number>>;
  /** What the installation keeps. */
  readonly longest: DaysByKind;
}

/** A message can be scheduled 30 days ahead, and needs its file until then. */
const UPLOAD_DAYS = 31;
/** Events are read from the messages that they are about, and may be kept for 30 days; reports of the network come in for as long. */
const MESSAGE_DAYS = 31;
/** The network repeats a callback for so long. */
const REPEATED_DAYS = 7;

const SHORTEST: Readonly<Record<RetentionKind, number>> = {
  messages: MESSAGE_DAYS,
  received_media: 1,
  uploads: UPLOAD_DAYS,
  events: 1,
  webhook_deliveries: 1,
  rule_decisions: 1,
};

/**
 * @param longest what the installation keeps
 * @param callbackDays how long it keeps callbacks: a message would come back from its own
 */
export function retentionLimits(longest: DaysByKind, callbackDays: number): RetentionLimits {
  const needed = { ...SHORTEST, messages: Math.max(SHORTEST.messages, callbackDays + REPEATED_DAYS) };
  const shortest = byKind((kind) => Math.min(needed[kind], longest[kind] ?? Number.POSITIVE_INFINITY));
  return { shortest, longest };
}

/** How long data of a tenant is kept: what was chosen once holds within the limits that there are now. */
export function effectiveDays(own: OwnRetention, { shortest, longest }: RetentionLimits): DaysByKind {
  return byKind((kind) => {
    const wanted = own[kind];
    if (wanted === undefined) return longest[kind];
    return Math.min(Math.max(wanted, shortest[kind]), longest[kind] ?? Number.POSITIVE_INFINITY);
  });
}

/** Builds a record with an entry for each kind. */
export function byKind<T>(fieldOf: (kind: RetentionKind) => T): Readonly<Record<RetentionKind, T>> {
  return Object.fromEntries(retentionKinds.map((kind) => [kind, fieldOf(kind)])) as Record<RetentionKind, T>;
}
