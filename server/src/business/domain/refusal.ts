import { ApiProblem } from '#core/errors';
import type { RetryClass } from '#core/network/network-errors';
import type { TransferFailure } from '#core/network/transfer-failure';

/** Refusals that pass without anybody acting. */
const PASSING: ReadonlySet<RetryClass> = new Set([
  'transient',
  'rate',
  'pair_rate',
  'maintenance',
] satisfies RetryClass[]);

/**
 * What a caller is answered when the network did not do something about a number. The sentences of the table of errors are about
 * messages, so the network's own words are quoted wherever it gave some.
 */
export function refusalAtNetwork(failure: TransferFailure): ApiProblem {
  if (failure.kind !== 'refused') return new ApiProblem('network_unreachable', { sentence: failure.reason });
  const { rule, details } = failure;
  if (PASSING.has(rule.retryClass))
    return new ApiProblem('network_unreachable', { sentence: withDetails('The network cannot do this now.', details) });
  if (rule.retryClass === 'auth' || details === '')
    return new ApiProblem('refused_by_network', { sentence: withDetails(rule.sentence, details) });
  return new ApiProblem('refused_by_network', { sentence: `The network rejected this. Its response: ${details}` });
}

function withDetails(sentence: string, details: string): string {
  return details === '' ? sentence : `${sentence} (${details})`;
}
