import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { saveProfile } from './account-api.ts';
import { EmailConfirmation } from './email-confirmation.tsx';
import { Done, Problem, Section } from './section.tsx';

/** Who the person is. */
export function Profile() {
  const { user } = useMe();
  const save = useMutation({ mutationFn: saveProfile });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name, email] = [String(form.get('name')).trim(), String(form.get('email')).trim()];
    // Only what is different: the address needs a recent sign-in, the name does not.
    save.mutate({ name, ...(email === '' || email === user?.email ? {} : { email }) });
  };
  return (
    <Section title={t('account.profile')}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label={t('account.name')}
          name="name"
          autoComplete="name"
          dir="auto"
          required
          maxLength={200}
          defaultValue={user?.name}
        />
        <TextField
          label={t('account.email')}
          name="email"
          type="email"
          autoComplete="username"
          maxLength={254}
          hint={t('account.emailHint')}
          defaultValue={user?.email ?? ''}
        />
        <div>
          <Button type="submit" disabled={save.isPending}>
            {t('account.save')}
          </Button>
          <Problem error={save.error} />
          {save.isSuccess && <Done text={t('account.saved')} />}
        </div>
      </form>
      <EmailConfirmation key={user?.email} />
    </Section>
  );
}
