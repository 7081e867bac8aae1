import type { TestService } from '../test-service.ts';

/** More than is asked of the network and the gateway in the meantime, by the service on its own as well. */
const EVERY_CALL = 1_000;

/**
 * Does something while every call of some steps fails at the simulator. A single failure could hit what the service asks in
 * the background instead.
 *
 * @param failures by step, as `PUT /_sim/failures` takes them
 */
export async function whileFailing<Result>(
  kit: Pick<TestService, 'simulate'>,
  failures: Readonly<Record<string, object>>,
  act: () => Promise<Result>,
): Promise<Result> {
  const lasting = Object.entries(failures).map(([step, failure]) => [step, { ...failure, times: EVERY_CALL }]);
  await kit.simulate('PUT', '/_sim/failures', Object.fromEntries(lasting));
  try {
    return await act();
  } finally {
    await kit.simulate('PUT', '/_sim/failures', {});
  }
}
