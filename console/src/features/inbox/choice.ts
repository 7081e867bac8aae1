import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** After so long a pause, somebody who steps through the list looks at where they are. */
export const REST_MS = 120;

interface Address {
  readonly conversationId: string | null;
  readonly viewName: string;
  readonly go: (conversationId: string | null) => void;
}

interface Choice {
  /** The conversation whose row is marked. */
  readonly chosenId: string | null;
  readonly choose: (id: string | null) => void;
  /** Chooses the next one, or the one before: the address follows where somebody rests. */
  readonly step: (id: string | null) => void;
  /** Whether the last choice was such a step. */
  readonly isStep: RefObject<boolean>;
}

/**
 * Which conversation is chosen. It is marked at once, and the address follows: a change of the address takes longer than the
 * browser has between two keys.
 */
export function useChoice({ conversationId, viewName, go }: Address): Choice {
  const [ahead, setAhead] = useState<string | null>(null);
  const isStep = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address counts, whoever has changed it.
  useEffect(() => {
    setAhead(null);
    return () => clearTimeout(timer.current);
  }, [conversationId, viewName]);
  const mark = useCallback((id: string | null, byStep: boolean) => {
    isStep.current = byStep;
    clearTimeout(timer.current);
    setAhead(id);
  }, []);
  const choose = useCallback(
    (id: string | null) => {
      mark(id, false);
      go(id);
    },
    [mark, go],
  );
  const step = useCallback(
    (id: string | null) => {
      mark(id, true);
      timer.current = setTimeout(() => go(id), REST_MS);
    },
    [mark, go],
  );
  return { chosenId: ahead ?? conversationId, choose, step, isStep };
}
