import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { savePassword } from './account-api.ts';
import { Done, Problem, Section } from './section.tsx';

/** Sets the password, or changes it. */
export function Password() {
  const { user, sign_in } = useMe();
  const hasPassword = sign_in.password;
  const [differs, setDiffers] = useState(false);
  const save = useMutation({
    mutationFn: ({ next, current }: { readonly next: string; readonly current: string | null }) =>
      savePassword(next, current),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const next = String(form.get('next'));
    const isTypo = next !== String(form.get('again'));
    setDiffers(isTypo);
    if (isTypo) return;
    const current = hasPassword ? String(form.get('current')) : null;
    save.mutate({ next, current }, { onSuccess: () => element.reset() });
  };
  if (!hasPassword && !user?.email) {
    return (
      <Section title={t('password.title')}>
        <p className="text-sm text-muted">{t('password.needsEmail')}</p>
      </Section>
    );
  }
  return (
    <Section title={t('password.title')}>
      {!hasPassword && <p className="mb-3 text-sm text-pretty text-muted">{t('password.none')}</p>}
      <form onSubmit={submit} className="flex flex-col gap-3">
        {/* Password managers keep the address beside the password. */}
        <input type="email" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        {hasPassword && (
          <TextField
            label={t('password.current')}
            name="current"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
        <TextField
          label={t('password.new')}
          name="next"
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={256}
          required
          hint={t('password.hint')}
        />
        <TextField
          label={t('password.again')}
          name="again"
          type="password"
          autoComplete="new-password"
          required
          problem={differs ? t('password.differs') : undefined}
        />
        <div>
          <Button type="submit" disabled={save.isPending}>
            {t(hasPassword ? 'password.change' : 'password.set')}
          </Button>
          <Problem error={save.error} />
          {save.isSuccess && <Done text={t('password.changed')} />}
        </div>
      </form>
    </Section>
  );
}
