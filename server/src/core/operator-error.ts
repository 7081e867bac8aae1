/** A request of the operator that cannot be carried out; the message says why. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
