/** What somebody who sees this for the first time has done already. It ticks itself. */
import { useSyncExternalStore } from 'react';
import type { LiveEvent } from '../live/model.ts';

export const STEPS = ['write', 'arrive', 'answer', 'read', 'trace'] as const;
export type Step = (typeof STEPS)[number];

const KEY = 'postrider.steps';
const BY_EVENT: Readonly<Record<string, Step>> = {
  'message.received': 'write',
  'conversation.replied': 'answer',
  'message.read': 'read',
};

let done: readonly string[] = load();
const listeners = new Set<() => void>();

function load(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly string[];
  } catch {
    return [];
  }
}

/** Ticks a step, or `hidden`, which puts the list away. */
export function reach(step: Step | 'hidden'): void {
  if (done.includes(step)) return;
  done = [...done, step];
  try {
    localStorage.setItem(KEY, JSON.stringify(done));
  } catch {
    // The list begins again with the next page.
  }
  for (const listener of listeners) listener();
}

export function reachByEvents(events: readonly LiveEvent[]): void {
  for (const { type } of events) {
    const step = BY_EVENT[type];
    if (step !== undefined) reach(step);
  }
}

export function useSteps(): readonly string[] {
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return useSyncExternalStore(subscribe, () => done);
}
