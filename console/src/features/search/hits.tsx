import { Link, useNavigate } from '@tanstack/react-router';
import { StickyNote } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNow } from '../../app/live.tsx';
import { Avatar } from '../../components/avatar.tsx';
import { Marked } from '../../components/marked.tsx';
import { listTime, t } from '../../locales/text.ts';
import { type ContactHit, type ConversationHit, type MessageHit, type NoteHit, newestConversation } from './results.ts';

interface Snippet {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

const ROW = 'flex w-full items-center gap-3 rounded-md px-2 py-2 text-start outline-offset-[-2px] hover:bg-hover';

const nameOf = (contact: { readonly name: string | null; readonly phone: string | null } | null | undefined): string =>
  contact?.name ?? (contact?.phone ? `+${contact.phone}` : t('search.someone'));

export function MessageRow({ hit: { message, contact, snippet } }: { readonly hit: MessageHit }) {
  const name = nameOf(contact);
  const isOurs = message.direction === 'outbound';
  const shown = (
    <Lines
      name={isOurs ? t('search.to', { name }) : name}
      at={isOurs ? message.created_at : message.received_at}
      snippet={snippet.text === '' ? { text: t('search.noText', { type: message.type }), marks: [] } : snippet}
    />
  );
  const icon = <Avatar name={name} size={32} />;
  return message.conversation_id === null ? (
    // What was sent outside of conversations has no thread to open.
    <div className={ROW} data-hit="" tabIndex={-1}>
      {icon}
      {shown}
    </div>
  ) : (
    <Opens conversationId={message.conversation_id} at={message.id} icon={icon}>
      {shown}
    </Opens>
  );
}

export function NoteRow({ hit: { note, contact, snippet } }: { readonly hit: NoteHit }) {
  const icon = (
    <span className="inline-grid size-8 shrink-0 place-items-center rounded-full bg-note">
      <StickyNote size={15} aria-hidden="true" />
    </span>
  );
  return (
    <Opens conversationId={note.conversation_id} at={note.id} icon={icon}>
      <Lines name={t('search.about', { name: nameOf(contact) })} at={note.created_at} snippet={snippet} />
    </Opens>
  );
}

export function ConversationRow({ hit: { conversation, snippet } }: { readonly hit: ConversationHit }) {
  const name = nameOf(conversation.contact);
  const title = t('search.conversation', { name, number: conversation.number });
  return (
    <Opens conversationId={conversation.id} at={null} icon={<Avatar name={name} size={32} />}>
      <Lines name={title} at={conversation.last_message?.at ?? conversation.created_at} snippet={snippet} />
    </Opens>
  );
}

/** A contact leads to the conversation in which something happened last. */
export function ContactRow({ hit: { contact, snippet } }: { readonly hit: ContactHit }) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const name = nameOf({ ...contact, name: contact.name ?? contact.profile_name });
  const open = async () => {
    try {
      const conversationId = await newestConversation(contact.id);
      if (conversationId === null) return setProblem(t('search.noConversation'));
      await navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: {} });
    } catch {
      setProblem(t('search.failed'));
    }
  };
  return (
    <button type="button" data-hit="" className={ROW} onClick={() => void open()}>
      <Avatar name={name} size={32} />
      <Lines name={name} at={contact.created_at} snippet={snippet} />
      {problem !== null && (
        <span role="status" className="shrink-0 text-sm text-muted">
          {problem}
        </span>
      )}
    </button>
  );
}

interface OpensProps {
  readonly conversationId: string;
  /** The message or note in it; null: the newest ones. */
  readonly at: string | null;
  readonly icon: ReactNode;
  readonly children: ReactNode;
}

function Opens({ conversationId, at, icon, children }: OpensProps) {
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId }}
      search={at === null ? {} : { message: at }}
      data-hit=""
      className={ROW}
    >
      {icon}
      {children}
    </Link>
  );
}

function Lines({ name, at, snippet }: { readonly name: string; readonly at: string; readonly snippet: Snippet }) {
  const now = useNow();
  return (
    <span className="min-w-0 grow">
      <span className="flex items-baseline gap-2">
        <span dir="auto" className="min-w-0 grow truncate font-medium">
          {name}
        </span>
        <time dateTime={at} className="shrink-0 text-xs text-muted tabular-nums">
          {listTime(at, now)}
        </time>
      </span>
      <span dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted">
        <Marked text={snippet.text} marks={snippet.marks} />
      </span>
    </span>
  );
}
