import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { call, refusalStatus } from '../../app/api.ts';
import { refusalSentence } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';

/** Whether this installation has a mail server: the service writes it into the page. */
export const sendsMail = (): boolean => document.documentElement.dataset.mail !== undefined;

interface Props {
  /** What was typed before. */
  readonly email: string;
  readonly onBack: () => void;
}

/** Asks for a link to set a new password. What the page says then is the same for every address. */
export function RecoveryForm({ email: typed, onBack }: Props) {
  const ask = useMutation({
    mutationFn: (email: string) => call('/v1/recoveries', { method: 'POST', body: { email }, maxRetries: 0 }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get('email')).trim());
  };
  return (
    <div className="rounded-xl border border-line bg-surface p-5">
      {ask.isSuccess ? (
        <div role="status">
          <p className="font-semibold">{t('forgotten.asked')}</p>
          <p className="mt-1 text-sm text-pretty text-muted">{t('forgotten.askedBody', { email: ask.variables })}</p>
        </div>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-3">
          <div>
            <p className="font-semibold">{t('forgotten.title')}</p>
            <p className="mt-1 text-sm text-pretty text-muted">{t('forgotten.body')}</p>
          </div>
          <TextField
            label={t('signIn.email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={typed}
            maxLength={254}
            required
            autoFocus
            problem={ask.error === null ? undefined : problemOf(ask.error)}
          />
          <Button type="submit" look="primary" disabled={ask.isPending} className="h-field w-full">
            {t('forgotten.submit')}
          </Button>
        </form>
      )}
      <Button look="quiet" className="mt-3 w-full" onClick={onBack}>
        {t('forgotten.back')}
      </Button>
    </div>
  );
}

function problemOf(error: Error): string {
  if (refusalStatus(error) === 429) return t('forgotten.tooMany');
  return refusalSentence(error) ?? t('forgotten.away');
}
