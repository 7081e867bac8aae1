import type { Indexed } from './audit.ts';
import type { Violation } from './evidence.ts';

/** Nothing of a tenant leaves while it is suspended. */
export function checkSilence({ silences, ledger }: Indexed): readonly Violation[] {
  return silences.flatMap(({ fromMs, toMs, phoneNumberIds }) =>
    ledger
      .filter(({ phoneNumberId, acceptedAtMs }) => {
        return phoneNumberIds.includes(phoneNumberId) && acceptedAtMs >= fromMs && acceptedAtMs < toMs;
      })
      .map(({ networkId, acceptedAtMs }): Violation => {
        const what = `${networkId} was sent ${acceptedAtMs - fromMs} ms after the silence of its tenant began.`;
        return { kind: 'suspended', what };
      }),
  );
}
