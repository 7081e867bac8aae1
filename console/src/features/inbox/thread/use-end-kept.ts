import { type RefObject, useEffect, useRef } from 'react';

/** Closer than this to the end, somebody reads along. */
const AT_END_PX = 48;

interface Scrolled {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly scrollToEnd: () => void;
  /** Whether there is something to scroll yet. */
  readonly isShown: boolean;
}

/**
 * Keeps the end of a thread in view when the thread gets less room: a keyboard opens, a reply grows, a phone is rotated.
 * @returns to be called at every scroll
 */
export function useEndKept({ scroller, scrollToEnd, isShown }: Scrolled): () => void {
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (!isShown || element === null) return;
    const observer = new ResizeObserver(() => wasAtEnd.current && scrollToEnd());
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, scrollToEnd, isShown]);
  return () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current ?? {
      scrollHeight: 0,
      scrollTop: 0,
      clientHeight: 0,
    };
    wasAtEnd.current = scrollHeight - scrollTop - clientHeight <= AT_END_PX;
  };
}
