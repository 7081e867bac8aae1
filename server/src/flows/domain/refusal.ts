import { refusalAtNetwork } from '#business/domain/refusal';
import { ApiProblem } from '#core/errors';
import type { TransferFailure } from '#core/network/transfer-failure';

/** What the network's own codes about flows mean, and what to do. It decides which change is allowed in which status. */
const SENTENCES: Readonly<Record<number, string>> = {
  139000: 'The network has blocked this flow: it or the business breaks a policy of the network.',
  139001: 'The network changes only drafts. Create another flow with clone_flow_id, and change that one.',
  139002: 'The network does not publish this flow. Correct its validation errors first; only a draft can be published.',
  139003: 'The network deprecates only published flows. Delete a draft instead.',
  139004: 'The network deletes only drafts. Deprecate a published flow instead.',
};

/** What a caller is answered when the network did not do something about a flow. */
export function flowRefusal(failure: TransferFailure): ApiProblem {
  const code = failure.kind === 'refused' ? failure.networkCode : null;
  const sentence = code === null ? undefined : SENTENCES[code];
  if (failure.kind !== 'refused' || sentence === undefined) return refusalAtNetwork(failure);
  const details = failure.details === '' ? '' : `: ${failure.details}`;
  return new ApiProblem('refused_by_network', { sentence: `${sentence} (Code ${code} of the network${details})` });
}
