import { Phone, PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react';
import type { InboundItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { callText } from './call-text.ts';

/** A call as a line of the thread. That of an erased contact says no more than that there was one. */
export function CallContent({ call }: { readonly call: InboundItem['call'] }) {
  const isMissed = call?.direction === 'user_initiated' && call.state !== 'answered' && call.state !== 'ringing';
  const Icon = isMissed
    ? PhoneMissed
    : call === undefined
      ? Phone
      : call.direction === 'user_initiated'
        ? PhoneIncoming
        : PhoneOutgoing;
  return (
    <p className="flex items-center gap-2 py-1">
      <Icon size={16} aria-hidden="true" className={`shrink-0 ${isMissed ? 'text-bad' : 'text-muted'}`} />
      {call === undefined ? t('call.erased') : callText(call)}
    </p>
  );
}
