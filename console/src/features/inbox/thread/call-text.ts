import type { InboundItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';

type Call = NonNullable<InboundItem['call']>;

/** What became of a call, and how long it took: "Voice call, 2 min 13 s". */
export function callText({ direction, state, duration_seconds: duration }: Call): string {
  const call = t(direction === 'business_initiated' ? `call.ours.${state}` : `call.${state}`);
  return state === 'answered' && duration !== null
    ? t('call.spoken', { call, duration: durationText(duration) })
    : call;
}

function durationText(total: number): string {
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return t('call.hours', { hours, minutes });
  return minutes > 0 ? t('call.minutes', { minutes, seconds }) : t('call.seconds', { seconds });
}
