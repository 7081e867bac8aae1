import { useDeferredValue, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRegistry } from '../../app/commands.tsx';

/**
 * What was chosen, once there is time to draw it: its row is marked first, and who steps through a list does not wait for
 * each thread. A command that acts on the choice has it drawn before it runs. @param chosen the same value until the next choice
 */
export function useShownLate<T>(chosen: T): T {
  const { registry } = useRegistry();
  const late = useDeferredValue(chosen);
  const [urgent, setUrgent] = useState(chosen);
  useEffect(
    () =>
      registry.onSettle(() => {
        if (late !== chosen) flushSync(() => setUrgent(chosen));
      }),
    [registry, late, chosen],
  );
  return urgent === chosen ? chosen : late;
}
