import { LayoutTemplate, Lock } from 'lucide-react';
import { Button } from '../../../components/button.tsx';
import type { Conversation } from '../../../live/model.ts';
import { plainTime, span, t } from '../../../locales/text.ts';

const CLOSING_MS = 2 * 3_600_000;

/** How long free text is still allowed. */
export function WindowHint({ leftMs }: { readonly leftMs: number }) {
  if (leftMs === 0) return null;
  return (
    <span
      className={`ms-auto truncate pe-1.5 text-xs tabular-nums ${leftMs < CLOSING_MS ? 'font-medium text-warn' : 'text-muted'}`}
    >
      {t('window.left', { span: span(leftMs) })}
    </span>
  );
}

/** Why nothing but a template can be sent, and the way to one. */
export function ClosedWindow({ one, onPick }: { readonly one: Conversation; readonly onPick: () => void }) {
  const { expires_at: at } = one.window;
  return (
    <div className="flex flex-col items-start gap-3 p-3 sm:flex-row sm:items-center">
      <Lock size={16} aria-hidden="true" className="hidden shrink-0 text-warn sm:block" />
      <p className="min-w-0 grow text-sm text-pretty">
        {at === null ? t('window.neverOpen') : t('window.closed', { time: plainTime(at) })}{' '}
        <span className="text-muted">{t('window.why')}</span>
      </p>
      <Button look="primary" onClick={onPick}>
        <LayoutTemplate size={15} aria-hidden="true" />
        {t('template.choose')}
      </Button>
    </div>
  );
}
