import { X } from 'lucide-react';
import type { ThreadItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { summaryOf } from '../naming.ts';

/** The message that the answer quotes. */
export function Quote({ item, onDrop }: { readonly item: ThreadItem; readonly onDrop: () => void }) {
  return (
    <div className="mx-2 mt-2 flex items-center gap-2 border-s-2 border-accent ps-2 text-sm text-muted">
      <p dir="auto" className="line-clamp-2 min-w-0 grow">
        {summaryOf(item)}
      </p>
      <button
        type="button"
        aria-label={t('quote.drop')}
        title={t('quote.drop')}
        onClick={onDrop}
        className="grid size-control-small shrink-0 place-items-center rounded hover:bg-hover hover:text-ink"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
