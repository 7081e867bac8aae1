import { t } from '../../../locales/text.ts';
import type { Mode } from './composer-commands.ts';
import { WindowHint } from './window-state.tsx';

interface Props {
  readonly mode: Mode;
  readonly leftMs: number;
  readonly onMode: (mode: Mode) => void;
}

/** Whether an answer or a note is written, and how long an answer is still allowed. */
export function ModeTabs({ mode, leftMs, onMode }: Props) {
  return (
    <div className="flex items-center gap-1 px-1.5 pt-1.5" role="tablist" aria-label={t('composer.mode')}>
      {(['reply', 'note'] as const).map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          aria-selected={mode === one}
          onClick={() => onMode(one)}
          className="group h-control-small"
        >
          {/* Where it is touched, the button is taller than what is seen of it. */}
          <span className="inline-flex h-6 items-center rounded px-2 text-xs font-medium text-muted group-hover:text-ink group-aria-selected:bg-hover group-aria-selected:text-ink">
            {t(`composer.${one}`)}
          </span>
        </button>
      ))}
      {mode === 'reply' && <WindowHint leftMs={leftMs} />}
    </div>
  );
}
