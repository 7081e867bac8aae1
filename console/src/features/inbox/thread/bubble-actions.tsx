import { Reply, SmilePlus } from 'lucide-react';
import { useState } from 'react';
import { useLive } from '../../../app/live.tsx';
import { IconButton } from '../../../components/button.tsx';
import { isCall, isDeleted, isInbound, type ThreadItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';

interface Props {
  readonly item: ThreadItem;
  readonly isOurs: boolean;
  readonly onQuote: (item: ThreadItem) => void;
}

const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

/** What can be done with a message: it is quoted, and one of the customer's gets a reaction. */
export function BubbleActions({ item, isOurs, onQuote }: Props) {
  const live = useLive();
  const [isReacting, setReacting] = useState(false);
  const id = 'conversation_id' in item ? item.conversation_id : null;
  if (id === null || item.type === 'reaction' || isCall(item) || isDeleted(item)) return null;
  const react = (emoji: string) => {
    const content = { type: 'reaction', reaction: { message_id: item.id, emoji } } as const;
    live.submit(id, { kind: 'reply', content, after: null, force: false });
    setReacting(false);
  };
  return (
    <div
      className={`absolute top-0 flex rounded-lg border border-line bg-raised opacity-0 transition-opacity group-hover:opacity-100 focus-within:opacity-100 ${isOurs ? 'end-full me-1' : 'start-full ms-1'}`}
    >
      <IconButton label={t('quote.action')} onClick={() => onQuote(item)}>
        <Reply size={15} aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      {isInbound(item) &&
        (isReacting ? (
          QUICK.map((emoji) => (
            <IconButton key={emoji} label={t('reaction.add', { emoji })} onClick={() => react(emoji)}>
              {emoji}
            </IconButton>
          ))
        ) : (
          <IconButton label={t('reaction.open')} onClick={() => setReacting(true)}>
            <SmilePlus size={15} aria-hidden="true" />
          </IconButton>
        ))}
    </div>
  );
}
