import { useQuery } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { useLease } from '../../../app/composing/lease.ts';
import { agentsQuery } from '../../../app/resources.ts';
import { useSignals } from '../../../app/signals.ts';
import { t } from '../../../locales/text.ts';
import { agentName } from '../naming.ts';

/** Takes the conversation while somebody writes here; says who has it, unless the signals say that they are writing. */
export function LeaseNotice({ conversationId, text }: { readonly conversationId: string; readonly text: string }) {
  const { data: agents } = useQuery(agentsQuery);
  const holderId = useLease(conversationId, text);
  const isSaid = useSignals(conversationId).some(({ writing }) => writing);
  if (holderId === null || isSaid) return null;
  return (
    <p role="status" className="mb-2 flex items-center gap-2 rounded-lg bg-warn-soft px-3 py-1.5 text-sm">
      <PenLine size={15} aria-hidden="true" className="shrink-0 text-warn" />
      {t('lease.held', { name: agentName(agents, holderId) })}
    </p>
  );
}
