import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useSuggestions } from '../../../app/composing/suggestions.ts';
import { agentsQuery } from '../../../app/resources.ts';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';
import { actorName } from '../naming.ts';

interface Props {
  readonly conversationId: string;
  /** Puts a text that was taken over into the field. It must be stable. */
  readonly onTake: (body: string) => void;
}

/** The newest answer that a program or a rule proposes: it is taken over or thrown away, then the next one is shown. */
export function SuggestionNotice({ conversationId, onTake }: Props) {
  const { open, fault, take, discard } = useSuggestions(conversationId);
  const { data: agents } = useQuery(agentsQuery);
  const [one] = open;
  const id = one?.id ?? null;
  const takeIt = useCallback(() => {
    if (id !== null) void take(id).then((body) => body !== null && onTake(body));
  }, [id, take, onTake]);
  const discardIt = useCallback(() => id !== null && discard(id), [id, discard]);
  useCommands(
    useMemo(() => {
      if (id === null) return [];
      const group = 'group.conversation' as const;
      return [
        { id: 'suggestion-take', name: t('suggestion.takeIt'), group, run: takeIt },
        { id: 'suggestion-discard', name: t('suggestion.discardIt'), group, run: () => void discardIt() },
      ];
    }, [id, takeIt, discardIt]),
  );
  if (one === undefined && fault === null) return null;
  return (
    <section aria-label={t('suggestion.label')} className="mb-2 rounded-lg bg-accent-soft px-3 py-2 text-sm">
      {one !== undefined && (
        <>
          <p className="flex items-center gap-2 text-muted">
            <Sparkles size={15} aria-hidden="true" className="shrink-0 text-accent" />
            <span className="min-w-0 grow truncate">
              {t('suggestion.by', { who: actorName(agents, one.author) })}
              {open.length > 1 && ` · ${t('suggestion.more', { count: open.length - 1 })}`}
            </span>
          </p>
          <p dir="auto" className="max-h-32 overflow-y-auto py-1.5 whitespace-pre-wrap">
            {one.body}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="quiet" onClick={discardIt}>
              {t('suggestion.discard')}
            </Button>
            <Button onClick={takeIt}>{t('suggestion.take')}</Button>
          </div>
        </>
      )}
      {fault !== null && (
        <p role="alert" className="pt-1 text-bad">
          {fault || t('suggestion.failed')}
        </p>
      )}
    </section>
  );
}
