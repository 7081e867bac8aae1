import { useQuery } from '@tanstack/react-query';
import { Check, CheckCheck, CircleAlert, Clock3 } from 'lucide-react';
import { useState } from 'react';
import { traceQuery } from '../../../app/resources.ts';
import type { OutboundItem } from '../../../live/model.ts';
import { exactTime, type TextName, t } from '../../../locales/text.ts';
import { waitingText } from './waiting-text.ts';

const LOOKS = {
  pending: { Icon: Clock3, tone: '', label: 'delivery.pending' },
  unknown: { Icon: Clock3, tone: 'text-warn', label: 'delivery.unknown' },
  accepted: { Icon: Check, tone: '', label: 'delivery.sent' },
  sent: { Icon: Check, tone: '', label: 'delivery.sent' },
  delivered: { Icon: CheckCheck, tone: '', label: 'delivery.delivered' },
  read: { Icon: CheckCheck, tone: 'text-read', label: 'delivery.read' },
  failed: { Icon: CircleAlert, tone: 'text-bad', label: 'delivery.failed' },
} as const;

interface Props {
  readonly item: OutboundItem;
  readonly onTrace: (messageId: string) => void;
}

/** How far a message is; a click shows how it got there. */
export function Ticks({ item, onTrace }: Props) {
  const { delivery } = item;
  // Asked only of a message that somebody points at: lists do not carry it.
  const [isAsked, setAsked] = useState(false);
  const waits = isAsked && delivery.state === 'pending';
  const { data: trace } = useQuery({ ...traceQuery(item.id), enabled: waits });
  const { Icon, tone, label } = LOOKS[delivery.state];
  const at = { delivered: delivery.delivered_at, read: delivery.read_at, failed: delivery.failed_at }[
    delivery.state as 'read'
  ];
  const state = at ? t('delivery.at', { state: t(label as TextName), time: exactTime(at) }) : t(label as TextName);
  const text = waits && trace?.waiting ? waitingText(trace.waiting) : state;
  return (
    <button
      type="button"
      onClick={() => onTrace(item.id)}
      onPointerEnter={() => setAsked(true)}
      onPointerLeave={() => setAsked(false)}
      onFocus={() => setAsked(true)}
      onBlur={() => setAsked(false)}
      aria-label={t('delivery.button', { state: text })}
      title={text}
      data-delivery={delivery.state}
      className={`-m-1 grid size-6 place-items-center rounded hover:text-ink ${tone}`}
    >
      <Icon size={15} strokeWidth={2} aria-hidden="true" />
    </button>
  );
}
