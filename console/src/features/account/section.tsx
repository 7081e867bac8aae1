import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { refusalCode, refusalSentence } from '../../app/session.ts';
import { t } from '../../locales/text.ts';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** One matter of the account, with its heading. */
export function Section({ title, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line py-6 first:border-t-0">
      <h2 id={id} className="mb-3 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Why something was not done, and the next step. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="mt-2 text-sm text-bad">
      {refusalSentence(error) ?? t('service.away')}{' '}
      {refusalCode(error) === 'sign_in_again' && (
        <Link to="/sign-in" search={{ after: 'account' }} className="font-medium underline underline-offset-2">
          {t('signIn.again')}
        </Link>
      )}
    </p>
  );
}

/** That something was done. */
export function Done({ text }: { readonly text: string }) {
  return (
    <p role="status" className="mt-2 text-sm text-good">
      {text}
    </p>
  );
}
