import { Check, CheckCheck, CircleAlert, Clock3 } from 'lucide-react';
import type { OutboundItem } from '../../live/model.ts';
import { exactTime, type TextName, t } from '../../locales/text.ts';

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
  const { Icon, tone, label } = LOOKS[delivery.state];
  const at = { delivered: delivery.delivered_at, read: delivery.read_at, failed: delivery.failed_at }[
    delivery.state as 'read'
  ];
  const text = at ? t('delivery.at', { state: t(label as TextName), time: exactTime(at) }) : t(label as TextName);
  return (
    <button
      type="button"
      onClick={() => onTrace(item.id)}
      aria-label={t('delivery.button', { state: text })}
      title={text}
      data-delivery={delivery.state}
      className={`-m-1 rounded p-1 hover:text-ink ${tone}`}
    >
      <Icon size={15} strokeWidth={2} aria-hidden="true" />
    </button>
  );
}
