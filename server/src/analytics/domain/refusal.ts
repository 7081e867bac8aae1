import { refusalAtNetwork } from '#business/domain/refusal';
import { ApiProblem } from '#core/errors';
import type { TransferFailure } from '#core/network/transfer-failure';

/** What a caller is answered when the network gives no figures. Its code says more than we know of them, so it is quoted. */
export function figuresRefusal(failure: TransferFailure): ApiProblem {
  const problem = refusalAtNetwork(failure);
  const code = failure.kind === 'refused' ? failure.networkCode : null;
  if (problem.code !== 'refused_by_network' || code === null) return problem;
  return new ApiProblem(problem.code, { sentence: `${problem.message} (Code ${code} of the network)` });
}
