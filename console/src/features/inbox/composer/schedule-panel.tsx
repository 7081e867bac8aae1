import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNow } from '../../../app/live.tsx';
import { contactQuery } from '../../../app/resources.ts';
import { Button } from '../../../components/button.tsx';
import type { Conversation } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { instantOf, parseWhen, wallTime, zoneOfCountry } from './when.ts';

interface Props {
  readonly one: Conversation;
  readonly onSchedule: (sendAt: string) => void;
  readonly onTemplate: () => void;
  readonly onClose: () => void;
}

const DAY_MS = 86_400_000;
/** The API's limit. */
const LONGEST_MS = 30 * DAY_MS;
const MINE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When an answer is to be sent, in words or by the calendar, on the customer's clocks or on one's own. */
export function SchedulePanel({ one, onSchedule, onTemplate, onClose }: Props) {
  const now = useNow();
  const { data: contact } = useQuery(contactQuery(one.contact_id));
  const theirs = zoneOfCountry(contact?.country ?? null, now);
  const [isTheirs, setTheirs] = useState(false);
  const [text, setText] = useState('tomorrow 9');
  const zone = isTheirs && theirs !== null ? theirs : MINE;
  const ms = parseWhen(text, now, zone) ?? parseLocal(text, zone);
  const fault = faultOf(ms, now, one);
  const schedule = () => ms !== null && fault === null && onSchedule(new Date(ms).toISOString());
  return (
    <form
      aria-label={t('schedule.title')}
      className="popup absolute end-0 bottom-full z-10 mb-1 flex w-88 max-w-full flex-col gap-2.5 p-3"
      onSubmit={(event) => {
        event.preventDefault();
        schedule();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="flex flex-wrap gap-2">
        <input
          // biome-ignore lint/a11y/noAutofocus: the panel is opened to type into it.
          autoFocus
          value={text.includes('T') ? '' : text}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
          aria-label={t('schedule.words')}
          placeholder={t('schedule.example')}
          className="h-control min-w-40 grow basis-40 rounded-md border border-line-strong bg-surface px-2.5"
        />
        <input
          type="datetime-local"
          aria-label={t('schedule.calendar')}
          value={ms === null ? '' : localText(ms, zone)}
          onChange={(event) => setText(event.target.value)}
          className="h-control min-w-48 grow rounded-md border border-line-strong bg-surface px-1.5 text-xs"
        />
      </div>
      {theirs !== null && theirs !== MINE && (
        <div role="radiogroup" aria-label={t('schedule.clocks')} className="flex gap-4 text-sm">
          {[false, true].map((value) => (
            <label key={String(value)} className="flex items-center gap-1.5">
              <input type="radio" name="clocks" checked={isTheirs === value} onChange={() => setTheirs(value)} />
              {t(value ? 'schedule.theirs' : 'schedule.mine')}
            </label>
          ))}
        </div>
      )}
      <p className="text-sm text-pretty" aria-live="polite">
        {ms === null ? t('schedule.notUnderstood') : meaningOf(ms, theirs)}
        {fault !== null && ms !== null && <span className="block text-bad">{t(fault)}</span>}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {fault === 'schedule.windowClosed' && <Button onClick={onTemplate}>{t('template.choose')}</Button>}
        <Button look="quiet" onClick={onClose}>
          {t('action.close')}
        </Button>
        <Button look="primary" type="submit" disabled={ms === null || fault !== null}>
          {t('schedule.submit')}
        </Button>
      </div>
    </form>
  );
}

/** Why nothing can be sent then; null: it can. */
function faultOf(ms: number | null, now: number, { window }: Conversation) {
  if (ms === null || ms <= now) return 'schedule.past';
  if (ms > now + LONGEST_MS) return 'schedule.tooFar';
  return ms >= Date.parse(window.expires_at ?? '') ? 'schedule.windowClosed' : null;
}

/** The time in words: on one's own clocks, and on the customer's where they are others. */
function meaningOf(ms: number, theirs: string | null): string {
  const words = (timeZone: string) =>
    new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(ms);
  if (theirs === null || theirs === MINE) return t('schedule.when', { time: words(MINE), zone: MINE });
  return t('schedule.whenBoth', { time: words(MINE), theirs: words(theirs), zone: theirs });
}

const two = (value: number): string => String(value).padStart(2, '0');

function localText(ms: number, zone: string): string {
  const { year, month, day, hour, minute } = wallTime(ms, zone);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** What the calendar of the browser gives. */
function parseLocal(text: string, zone: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return instantOf({ year, month, day, hour, minute }, zone);
}
