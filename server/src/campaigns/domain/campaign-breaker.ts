import { networkErrorRules } from '#core/network/network-errors';

/** When a campaign pauses itself: more than `percent` of the last `of` outcomes are bad. Null: never. */
export interface Breaker {
  readonly percent: number;
  readonly of: number;
}

export const DEFAULT_BREAKER: Breaker = { percent: 50, of: 200 };
export const MIN_BREAKER_OF = 20;
export const MAX_BREAKER_OF = 1_000;

/** Outcomes that say nothing of the campaign: the recipient, or a person here, is the cause. */
const OF_RECIPIENT: ReadonlySet<string> = new Set([
  ...networkErrorRules.flatMap(({ code, fault }) => (fault === 'recipient' ? [code] : [])),
  'marketing_experiment',
  'canceled',
  'contact_blocked',
  'contact_erased',
  'contact_opted_out',
  'recipient_blocked',
  'recipient_opted_out',
  'recipient_country_not_allowed',
  'variable_missing',
  'expired',
]);

/** Whether a failure speaks against the template, the number or its quality. @param code of the failure; null: none */
export function isBad(code: string | null): boolean {
  return code !== null && !OF_RECIPIENT.has(code);
}

/** What became of a recipient. */
export interface BreakerOutcome {
  readonly bad: boolean;
  /** Its message counts as sent already: it failed later. */
  readonly late: boolean;
}

/** The last outcomes, `o` or `x` each, newest last. A late failure takes the place of the newest good outcome. */
export function noteOutcomes(recent: string, outcomes: readonly BreakerOutcome[], of: number): string {
  let noted = recent;
  for (const { bad, late } of outcomes) {
    const good = late ? noted.lastIndexOf('o') : -1;
    if (good < 0) noted += bad ? 'x' : 'o';
    else if (bad) noted = `${noted.slice(0, good)}x${noted.slice(good + 1)}`;
  }
  return noted.slice(-of);
}

/** Fewer outcomes prove nothing. */
const MIN_OUTCOMES = MIN_BREAKER_OF;

/** Why the campaign must pause; null when it may continue. */
export function breakerReason(recent: string, breaker: Breaker | null): string | null {
  if (breaker === null || recent.length < MIN_OUTCOMES) return null;
  const bad = [...recent].filter((outcome) => outcome === 'x').length;
  if (bad * 100 <= recent.length * breaker.percent) return null;
  return `Of the last ${recent.length} messages, ${bad} failed because of the template, the number or its quality.`;
}
