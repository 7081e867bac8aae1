import type { FormEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import type { Attempt } from './use-sign-in.ts';

interface Props {
  readonly isWrong: boolean;
  /** What was typed before. */
  readonly email: string;
  readonly onSubmit: (attempt: Attempt) => void;
  /** Null: this installation sends no mail, and an administrator has to help. */
  readonly onForgotten: (() => void) | null;
}

/** Email address and password. */
export function PasswordForm({ isWrong, email: typed, onSubmit, onForgotten }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [email, password] = [String(form.get('email')), String(form.get('password'))];
    onSubmit({ proof: { method: 'password', email, password }, remember: form.has('remember') });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <TextField
        label={t('signIn.email')}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={typed}
        required
        autoFocus
      />
      <TextField
        label={t('signIn.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        problem={isWrong ? t('signIn.wrong') : undefined}
      />
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" name="remember" className="size-4 accent-accent" />
        {t('signIn.remember')}
      </label>
      <Button type="submit" look="primary" className="h-field w-full">
        {t('signIn.submit')}
      </Button>
      {onForgotten === null ? (
        <p className="text-xs text-pretty text-muted">{t('signIn.forgot')}</p>
      ) : (
        <Button look="quiet" onClick={onForgotten}>
          {t('forgotten.open')}
        </Button>
      )}
    </form>
  );
}
