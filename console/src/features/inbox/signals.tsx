import { useQuery } from '@tanstack/react-query';
import { Eye, PencilLine } from 'lucide-react';
import { agentsQuery } from '../../app/resources.ts';
import { useSignals } from '../../app/signals.ts';
import type { Signal } from '../../live/signals.ts';
import { t } from '../../locales/text.ts';
import { agentName } from './naming.ts';

interface Props {
  readonly conversationId: string;
}

/** What colleagues do here, in words: who writes, else who looks; null: nobody is there. */
export function useColleagues(conversationId: string): { readonly text: string; readonly isWriting: boolean } | null {
  const { data: agents } = useQuery(agentsQuery);
  const all = useSignals(conversationId);
  if (all.length === 0) return null;
  const writing = all.filter((one) => one.writing);
  const isWriting = writing.length > 0;
  const [first, ...rest] = isWriting ? writing : all;
  const name = agentName(agents, (first as Signal).agentId);
  const more = rest.length > 0 ? 'More' : '';
  const text = t(isWriting ? `signal.writing${more}` : `signal.looking${more}`, { name, count: rest.length });
  return { text, isWriting };
}

/** A mark of a row: that colleagues look at the conversation, or write in it. */
export function SignalMark({ conversationId }: Props) {
  const colleagues = useColleagues(conversationId);
  if (colleagues === null) return null;
  const Icon = colleagues.isWriting ? PencilLine : Eye;
  return (
    <span
      role="img"
      aria-label={colleagues.text}
      title={colleagues.text}
      className={colleagues.isWriting ? 'text-warn' : ''}
    >
      <Icon size={13} aria-hidden="true" />
    </span>
  );
}

/** The same above a thread. */
export function SignalLine({ conversationId }: Props) {
  const colleagues = useColleagues(conversationId);
  if (colleagues === null) return null;
  return (
    <span className={`shrink-0 truncate text-xs ${colleagues.isWriting ? 'text-warn' : 'text-muted'}`}>
      {colleagues.text}
    </span>
  );
}

/** Above the composer: two answers at once help nobody. */
export function CollisionNotice({ conversationId }: Props) {
  const colleagues = useColleagues(conversationId);
  const text = colleagues?.isWriting ? colleagues.text : null;
  return (
    <p role="status" className="mx-auto w-full max-w-3xl px-5 text-xs text-warn empty:hidden">
      {text === null ? null : t('signal.collision', { text })}
    </p>
  );
}
