import type { Waiting } from '../../../app/resources.ts';
import { en } from '../../../locales/en.ts';
import { shortSpan, type TextName, t } from '../../../locales/text.ts';

/** Why a message waits, and for about how long, in words. */
export function waitingText({ reason, ahead, ahead_is_more: isMore, eta_s: seconds }: Waiting): string {
  const why = reason === 'rate_limit' ? behind(ahead, isMore) : nameOf(reason);
  if (seconds === null || seconds === 0) return why;
  return t(isMore ? 'wait.etaMore' : 'wait.eta', { why, span: shortSpan(seconds * 1_000) });
}

const behind = (count: number, isMore: boolean): string => t(isMore ? 'wait.aheadMore' : 'wait.ahead', { count });

/** A newer service may have further reasons. */
function nameOf(reason: string): string {
  const name = `wait.${reason}`;
  return t(name in en ? (name as TextName) : 'wait.other');
}
