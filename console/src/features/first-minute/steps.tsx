import { Check, X } from 'lucide-react';
import { reach, STEPS, useSteps } from '../../app/steps.ts';
import { IconButton } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';

/** What to try first; each step is ticked by what happens. */
export function Steps() {
  const done = useSteps();
  if (done.includes('hidden')) return null;
  const next = STEPS.find((step) => !done.includes(step));
  return (
    <section aria-label={t('steps.title')} className="shrink-0 border-b border-line bg-surface px-4 py-3">
      <div className="-mt-1 -me-2 flex items-center justify-between">
        <h2 className="text-sm font-semibold">{t(next === undefined ? 'steps.done' : 'steps.title')}</h2>
        <IconButton label={t('steps.dismiss')} onClick={() => reach('hidden')}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <ol className="flex flex-col gap-1">
        {STEPS.map((step) => {
          const isDone = done.includes(step);
          return (
            <li
              key={step}
              aria-current={step === next ? 'step' : undefined}
              className={`flex items-center gap-2 text-sm ${isDone ? 'text-muted' : step === next ? 'font-medium' : ''}`}
            >
              <span
                className={`grid size-4 shrink-0 place-items-center rounded-full border ${isDone ? 'border-transparent bg-good text-surface' : step === next ? 'border-accent' : 'border-line-strong'}`}
              >
                {isDone && <Check size={11} strokeWidth={3} aria-hidden="true" />}
              </span>
              {t(`steps.${step}`)}
              {isDone && <span className="sr-only">{t('steps.ticked')}</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
