import { ArrowLeft, PanelRight } from 'lucide-react';
import { useMe } from '../../../app/me.tsx';
import type { Agent } from '../../../app/resources.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { IconButton } from '../../../components/button.tsx';
import type { Conversation } from '../../../live/model.ts';
import { plainTime, t } from '../../../locales/text.ts';
import { agentName, customerName, phoneText, windowShare } from '../naming.ts';
import { SignalLine } from '../signals.tsx';
import { ThreadActions } from './thread-actions.tsx';

interface Props {
  readonly one: Conversation | null;
  readonly now: number;
  readonly agents: readonly Agent[] | undefined;
  readonly onClose: () => void;
  readonly isPanelOpen: boolean;
  readonly onTogglePanel: () => void;
}

/** Who a conversation is with, who cares for it, and what can be done with it. */
export function ThreadHeader({ one, now, agents, onClose, isPanelOpen, onTogglePanel }: Props) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-1.5 border-b border-line px-2 md:ps-4 pointer-coarse:gap-0.5">
      <IconButton label={t('action.back')} onClick={onClose} className="md:hidden">
        <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      {one && (
        <>
          <Avatar name={customerName(one)} left={windowShare(one, now)} size={32} />
          <div className="min-w-0 grow ps-1">
            <h2 dir="auto" className="truncate leading-5 font-semibold">
              {customerName(one)}
            </h2>
            <div className="flex min-w-0 gap-1.5">
              <Subtitle one={one} agents={agents} />
              <SignalLine conversationId={one.id} />
            </div>
          </div>
          <ThreadActions one={one} now={now} agents={agents} />
        </>
      )}
      <IconButton label={t('contact.panel')} aria-pressed={isPanelOpen} onClick={onTogglePanel}>
        <PanelRight size={17} aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
    </header>
  );
}

function Subtitle({ one, agents }: { readonly one: Conversation; readonly agents: Props['agents'] }) {
  const { agent } = useMe();
  const { lease, contact, status, snoozed_until: until } = one;
  const isLeased = lease !== null && lease.agent_id !== agent?.id && Date.parse(lease.until) > Date.now();
  const phone = contact?.name && contact.phone ? phoneText(contact.phone) : null;
  const state =
    status === 'snoozed' && until !== null
      ? t('status.snoozedUntil', { time: plainTime(until) })
      : status === 'open'
        ? null
        : t(`status.${status}`);
  if (isLeased)
    return (
      <p className="truncate text-xs text-warn">{t('thread.writing', { name: agentName(agents, lease.agent_id) })}</p>
    );
  return (
    <p className="truncate text-xs text-muted">
      {phone && <bdi>{phone}</bdi>}
      {phone && state && ' · '}
      {state}
    </p>
  );
}
