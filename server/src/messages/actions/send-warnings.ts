import type { CheckedSend } from './check-send.ts';
import { needsWindow } from './send-checks.ts';

/** What would stop a message, or should be known before it is sent. */
export interface Remark {
  /** Of a blocker: the code that the send would be refused with. */
  readonly code: string;
  readonly message: string;
}

const WINDOW_WARNING: Remark = {
  code: 'window_closed',
  message:
    'As far as is known, the customer has not written within 24 hours. The network may reject anything but a template.',
};

const REPLACED_WARNING: Remark = {
  code: 'replaced_by_template',
  message: 'The customer has not written within 24 hours. Your fallback template would be sent instead.',
};

/** Whether it depends on the window of its recipient if the network takes the message, and nobody has asked yet. */
export function dependsOnWindow({ numbers, given }: CheckedSend): boolean {
  return numbers?.windowPolicy === 'network' && needsWindow(given);
}

/**
 * What is worth a warning once the checks have passed and the window is known. That no numbering plan has a number is
 * not among it: finding that out takes 7 to 23 µs, of 65 that accepting a message costs, so only a dry run does.
 * @param isWindowClosed false where the message does not depend on it
 */
export function sendWarnings(send: CheckedSend, isWindowClosed: boolean): readonly Remark[] {
  const warnings: Remark[] = [];
  if (send.request !== send.given) warnings.push(REPLACED_WARNING);
  else if (isWindowClosed) warnings.push(WINDOW_WARNING);
  const { numbers, phoneNumberId } = send;
  const number = phoneNumberId === null ? undefined : numbers?.find(phoneNumberId);
  if (number !== undefined && number.status !== 'active') warnings.push(pauseWarning(number));
  return warnings;
}

function pauseWarning({ pauseReason }: { readonly pauseReason: string | null }): Remark {
  const reason = pauseReason ? `: ${pauseReason.replace(/\.$/, '')}` : '';
  return { code: 'number_paused', message: `The sending number is paused${reason}. The message would wait.` };
}
