import { FileStack } from 'lucide-react';
import { useDrafts } from '../../../app/composing/drafts.tsx';
import { Button } from '../../../components/button.tsx';
import type { HeldDraft } from '../../../live/draft-rules.ts';
import { t } from '../../../locales/text.ts';

/** What was written elsewhere and gave way to what stands in the field. */
export function OtherDraft({ conversationId, draft }: { readonly conversationId: string; readonly draft: HeldDraft }) {
  const drafts = useDrafts();
  if (draft.other === null) return null;
  return (
    <div role="status" className="mb-2 flex items-center gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm">
      <FileStack size={16} aria-hidden="true" className="shrink-0 text-warn" />
      <p className="min-w-0 grow">
        {t('draft.other')}{' '}
        <span dir="auto" className="line-clamp-1 text-muted">
          {draft.other.body}
        </span>
      </p>
      <Button onClick={() => drafts.takeOther(conversationId)}>{t('draft.take')}</Button>
      <Button look="quiet" onClick={() => drafts.dropOther(conversationId)}>
        {t('pending.discard')}
      </Button>
    </div>
  );
}
