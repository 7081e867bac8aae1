import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { t } from '../../locales/text.ts';
import { keyFor } from './keys.ts';
import { addPerson, type Person, ROLES, type Role } from './requests.ts';

interface Props {
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onAdded: (person: Person) => void;
}

const FIELD = 'mt-1 h-field w-full rounded-md border border-line-strong bg-surface px-2.5 font-normal';

/** Asks who is added. A second try after a lost answer adds nobody twice. */
export function NewPerson({ roles, onClose, onAdded }: Props) {
  const [keys] = useState(() => new Map<string, string>());
  const add = useMutation({
    mutationFn: (fields: Parameters<typeof addPerson>[0]) => addPerson(fields, keyFor(keys, fields)),
    onSuccess: onAdded,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email')).trim();
    const role = ROLES.find((name) => name === form.get('role')) ?? 'agent';
    add.mutate({ name: String(form.get('name')).trim(), role, ...(email === '' ? {} : { email }) });
  };
  return (
    <Panel isOpen onClose={onClose} title={t('team.add')}>
      <form onSubmit={submit} className="flex flex-col gap-4 p-5">
        <label className="text-sm font-medium">
          {t('team.name')}
          <input name="name" required maxLength={200} autoComplete="off" pattern=".*\S.*" className={FIELD} />
        </label>
        <label className="text-sm font-medium">
          {t('team.email')}
          <input name="email" type="email" maxLength={320} autoComplete="off" className={FIELD} />
        </label>
        <label className="text-sm font-medium">
          {t('team.role')}
          <select name="role" defaultValue="agent" className={FIELD}>
            {roles.map((role) => (
              <option key={role} value={role}>
                {t(`team.role.${role}`)}
              </option>
            ))}
          </select>
        </label>
        <Refusal error={add.error} after="team" />
        <Button type="submit" look="primary" disabled={add.isPending} className="self-end">
          {t('team.save')}
        </Button>
      </form>
    </Panel>
  );
}
