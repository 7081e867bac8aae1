import { buildNetworkErrorRules } from './network-error-table.ts';

/**
 * transient: again with growing waits · transient_once: once again · rate: slow the number down, again soon ·
 * pair_rate: only this recipient waits · maintenance: the number rests a minute · later: once again after a day ·
 * auth: stop the number until a person acts · never: the message has failed. `backoff.ts` has the times.
 */
export type RetryClass =
  | 'transient'
  | 'transient_once'
  | 'rate'
  | 'pair_rate'
  | 'maintenance'
  | 'later'
  | 'auth'
  | 'never';

export interface NetworkErrorRule {
  /** The network's number of the error; NO_NETWORK_CODE when it gave none. */
  readonly networkCode: number;
  /** Our stable slug for it. */
  readonly code: string;
  readonly retryClass: RetryClass;
  readonly fault: 'ours' | 'tenant' | 'recipient' | 'network';
  /** A person must act: the account is restricted, unpaid, or its access is broken. */
  readonly alert: boolean;
  /** Public: says what is wrong and what to do. */
  readonly sentence: string;
}

/** Represents the code of a response that had none; 0 will not do, since the network uses it. */
export const NO_NETWORK_CODE = -1;

/** Every code that a send or a failed status can carry, ascending. Permission errors (200–299) share the rule of 200. */
export const networkErrorRules: readonly NetworkErrorRule[] = buildNetworkErrorRules();

/** For codes that the table does not know, and answers without one: decided by the HTTP status alone. */
export const fallbackErrorRules = {
  rate: {
    networkCode: NO_NETWORK_CODE,
    code: 'network_rate_limited',
    retryClass: 'rate',
    fault: 'ours',
    alert: false,
    sentence: 'The network received too many calls; the message waits and is sent later.',
  },
  transient: {
    networkCode: NO_NETWORK_CODE,
    code: 'network_failed',
    retryClass: 'transient',
    fault: 'network',
    alert: false,
    sentence: 'The network failed; the message is retried.',
  },
  /** Something in between answered for the network. */
  turnedAway: {
    networkCode: NO_NETWORK_CODE,
    code: 'network_not_reached',
    retryClass: 'transient',
    fault: 'network',
    alert: false,
    sentence: 'Something other than the network responded, such as a proxy; the message is retried.',
  },
  never: {
    networkCode: NO_NETWORK_CODE,
    code: 'network_refused',
    retryClass: 'never',
    fault: 'network',
    alert: false,
    sentence: 'The network rejected the message for an unknown reason; its code and text are in the details.',
  },
} as const satisfies Record<string, NetworkErrorRule>;

const ruleByCode: ReadonlyMap<number, NetworkErrorRule> = new Map(
  networkErrorRules.map((rule) => [rule.networkCode, rule]),
);

/**
 * The rule for an error of the network. The code decides; the HTTP status only when the code is absent or unknown,
 * because the network itself advises not to rely on it. The rule carries the code that was asked for.
 */
export function ruleForNetworkError(networkCode: number | null, httpStatus: number | null): NetworkErrorRule {
  if (networkCode === null) return fallbackFor(httpStatus);
  const known = ruleByCode.get(networkCode) ?? (isPermissionCode(networkCode) ? ruleByCode.get(200) : undefined);
  const rule = known ?? fallbackFor(httpStatus);
  return rule.networkCode === networkCode ? rule : { ...rule, networkCode };
}

/** Whether the network documents this code. */
export function isKnownNetworkCode(code: number): boolean {
  return ruleByCode.has(code) || isPermissionCode(code);
}

function isPermissionCode(networkCode: number): boolean {
  return networkCode >= 200 && networkCode <= 299;
}

function fallbackFor(httpStatus: number | null): NetworkErrorRule {
  if (httpStatus === 429) return fallbackErrorRules.rate;
  return httpStatus !== null && httpStatus >= 500 ? fallbackErrorRules.transient : fallbackErrorRules.never;
}
