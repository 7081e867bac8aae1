import { Link } from '@tanstack/react-router';
import { t } from '../locales/text.ts';

/** An address that leads nowhere. */
export function Lost() {
  return (
    <main className="grid h-full place-items-center p-6 text-center">
      <div>
        <h1 className="text-base font-semibold">{t('lost.title')}</h1>
        <p className="mt-1 text-muted">{t('lost.body')}</p>
        <Link
          to="/inbox"
          className="mt-2 inline-flex min-h-control items-center font-medium text-accent underline underline-offset-4"
        >
          {t('lost.action')}
        </Link>
      </div>
    </main>
  );
}
