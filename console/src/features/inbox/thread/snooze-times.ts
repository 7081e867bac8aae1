import type { TextName } from '../../../locales/text.ts';

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** When a conversation may come back: as people say it, and as the API wants it; null: when the customer writes. */
export function snoozeTimes(nowMs: number): readonly { readonly label: TextName; readonly until: string | null }[] {
  return [
    { label: 'snooze.hour', until: iso(nowMs + HOUR_MS) },
    { label: 'snooze.threeHours', until: iso(nowMs + 3 * HOUR_MS) },
    { label: 'snooze.tomorrow', until: iso(morningIn(nowMs, 1)) },
    { label: 'snooze.monday', until: iso(morningIn(nowMs, daysToMonday(nowMs))) },
    { label: 'snooze.reply', until: null },
  ];
}

const iso = (ms: number): string => new Date(ms).toISOString();

function morningIn(nowMs: number, days: number): number {
  const day = new Date(nowMs);
  day.setDate(day.getDate() + days);
  return day.setHours(MORNING, 0, 0, 0);
}

function daysToMonday(nowMs: number): number {
  return (8 - new Date(nowMs).getDay()) % 7 || 7;
}
