import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type Ref, useState } from 'react';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { keyFor } from './keys.ts';
import { addTeam, type TeamGroup, teamsQuery } from './requests.ts';
import { TeamPanel } from './team-panel.tsx';

interface Props {
  readonly mayChange: boolean;
  /** The field for the name of a new team. */
  readonly nameRef: Ref<HTMLInputElement>;
  readonly onChanged: () => unknown;
}

/** Groups of people who share a queue. */
export function Teams({ mayChange, nameRef, onChanged }: Props) {
  const { data: teams, error, refetch } = useQuery(teamsQuery);
  const [opened, setOpened] = useState<TeamGroup | null>(null);
  return (
    <section aria-labelledby="teams" className="mt-4">
      <h2 id="teams" className="font-semibold">
        {t('teams.title')}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted">{t('teams.body')}</p>
      {teams === undefined && error === null && <div className="skeleton mt-2 h-16" aria-busy="true" />}
      {teams === undefined && error !== null && (
        <div role="alert" className="mt-2 flex items-center gap-3 text-sm text-bad">
          {t('teams.failed')}
          <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
        </div>
      )}
      {teams?.length === 0 && <p className="mt-2 text-sm text-muted">{t('teams.none')}</p>}
      {teams !== undefined && teams.length > 0 && (
        <ul aria-label={t('teams.title')} className="mt-2 divide-y divide-line border-y border-line">
          {teams.map((team) => (
            <li key={team.id} className="flex items-center gap-3 py-2.5">
              <p className="min-w-0 grow truncate text-sm" dir="auto">
                {team.name}
              </p>
              <span className="shrink-0 text-xs text-muted">{t('teams.members', { count: team.members.length })}</span>
              {mayChange && (
                <Button onClick={() => setOpened(team)} aria-label={`${t('teams.edit')}: ${team.name}`}>
                  {t('teams.edit')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && <NewTeam nameRef={nameRef} onAdded={onChanged} />}
      {opened !== null && (
        <TeamPanel
          team={opened}
          onClose={() => setOpened(null)}
          onChanged={() => {
            setOpened(null);
            onChanged();
          }}
        />
      )}
    </section>
  );
}

/** A second try after a lost answer adds no second team. */
function NewTeam({ nameRef, onAdded }: { readonly nameRef: Ref<HTMLInputElement>; readonly onAdded: () => unknown }) {
  const [keys] = useState(() => new Map<string, string>());
  const add = useMutation({ mutationFn: (name: string) => addTeam(name, keyFor(keys, name)), onSettled: onAdded });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name')).trim();
    add.mutate(name, {
      onSuccess: () => {
        form.reset();
        // The same name once more is meant as another team.
        keys.clear();
      },
    });
  };
  return (
    <form onSubmit={submit} className="mt-3 flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <TextField
          className="grow"
          label={t('teams.newName')}
          inputRef={nameRef}
          name="name"
          dir="auto"
          required
          maxLength={200}
          pattern=".*\S.*"
          autoComplete="off"
        />
        <Button type="submit" disabled={add.isPending} className="h-field">
          {t('teams.add')}
        </Button>
      </div>
      <Refusal error={add.error} after="team" />
    </form>
  );
}
