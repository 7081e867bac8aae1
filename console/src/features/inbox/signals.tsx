import { useQuery } from '@tanstack/react-query';
import { Eye, PencilLine } from 'lucide-react';
import { type Agent, agentsQuery } from '../../app/resources.ts';
import { useSignals } from '../../app/signals.ts';
import type { Signal } from '../../live/signals.ts';
import { t } from '../../locales/text.ts';
import { agentName } from './naming.ts';

interface Props {
  readonly conversationId: string;
}

interface Colleagues {
  readonly text: string;
  readonly isWriting: boolean;
}

/** What colleagues do here, in words: who writes, else who looks. */
function describe(all: readonly Signal[], agents: readonly Agent[] | undefined): Colleagues {
  const writing = all.filter((one) => one.writing);
  const isWriting = writing.length > 0;
  const [first, ...rest] = isWriting ? writing : all;
  const name = agentName(agents, first?.agentId ?? null);
  const more = rest.length > 0 ? 'More' : '';
  return {
    text: t(isWriting ? `signal.writing${more}` : `signal.looking${more}`, { name, count: rest.length }),
    isWriting,
  };
}

/** Null: nobody is there. */
function useColleagues(conversationId: string): Colleagues | null {
  const { data: agents } = useQuery(agentsQuery);
  const all = useSignals(conversationId);
  return all.length === 0 ? null : describe(all, agents);
}

/** A mark of a row: that colleagues look at the conversation, or write in it. */
export function SignalMark({ conversationId }: Props) {
  const all = useSignals(conversationId);
  // There are many rows, and few of them have a mark: the others ask for nothing.
  return all.length === 0 ? null : <Mark all={all} />;
}

function Mark({ all }: { readonly all: readonly Signal[] }) {
  const { data: agents } = useQuery(agentsQuery);
  const { text, isWriting } = describe(all, agents);
  const Icon = isWriting ? PencilLine : Eye;
  return (
    <span role="img" aria-label={text} title={text} className={isWriting ? 'text-warn' : ''}>
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
