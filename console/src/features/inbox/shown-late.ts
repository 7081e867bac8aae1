import { type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRegistry } from '../../app/commands.tsx';
import { REST_MS } from './choice.ts';

/** Steps that come so close together are on their way to somewhere else. */
const STEP_MS = 250;
/**
 * What was chosen, once there is time to draw it: its row is marked first, and who steps through a list does not wait for
 * each thread. A command that acts on the choice has it drawn before it runs. @param chosen the same value until the next choice
 * @param isStep whether the choice was the next one or the one before: of several such choices in a row, the last is drawn
 */
export function useShownLate<T>(chosen: T, isStep: RefObject<boolean>): T {
  const { registry } = useRegistry();
  const late = useDeferredValue(useRested(chosen, isStep));
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

function useRested<T>(chosen: T, isStep: RefObject<boolean>): T {
  const [rested, setRested] = useState(chosen);
  const steppedMs = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    if (!isStep.current) return setRested(chosen);
    const isOnTheWay = performance.now() - steppedMs.current < STEP_MS;
    steppedMs.current = performance.now();
    if (!isOnTheWay) return setRested(chosen);
    const timer = setTimeout(() => setRested(chosen), REST_MS);
    return () => clearTimeout(timer);
  }, [chosen, isStep]);
  return rested;
}
