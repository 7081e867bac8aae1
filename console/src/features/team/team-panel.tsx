import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { FIND_FROM, FindField } from './find-field.tsx';
import { findPeople } from './find-people.ts';
import { changeTeam, peopleQuery, removeTeam, type TeamGroup } from './requests.ts';

interface Props {
  readonly team: TeamGroup;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** The name and the members of a team, and its end. */
export function TeamPanel({ team, onClose, onChanged }: Props) {
  const { data: people } = useQuery(peopleQuery);
  const [isSure, setSure] = useState(false);
  const [text, setText] = useState('');
  const found = new Set(findPeople(people ?? [], text).map(({ id }) => id));
  const save = useMutation({
    mutationFn: (change: Parameters<typeof changeTeam>[1]) => changeTeam(team, change),
    onSuccess: onChanged,
  });
  const remove = useMutation({ mutationFn: () => removeTeam(team), onSuccess: onChanged });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const shown = new Set(people?.map(({ id }) => id));
    // Who is not shown here stays a member.
    const hidden = team.members.filter((id) => !shown.has(id));
    save.mutate({ name: String(form.get('name')).trim(), members: [...form.getAll('member').map(String), ...hidden] });
  };
  const isBusy = save.isPending || remove.isPending;
  return (
    <Panel isOpen onClose={onClose} title={team.name}>
      <form onSubmit={submit} className="flex flex-col gap-4 p-5">
        <TextField
          label={t('teams.name')}
          name="name"
          dir="auto"
          required
          maxLength={200}
          pattern=".*\S.*"
          autoComplete="off"
          defaultValue={team.name}
        />
        <fieldset className="min-w-0">
          <legend className="text-sm font-medium">{t('teams.who')}</legend>
          {people === undefined && <div className="skeleton mt-2 h-16" aria-busy="true" />}
          {people !== undefined && people.length > FIND_FROM && (
            <div className="mt-2">
              <FindField text={text} onText={setText} count={found.size} />
            </div>
          )}
          <div className="mt-1 grid gap-x-4 sm:grid-cols-2">
            {people?.map(({ id, name }) => (
              // Who is not found stays in the form, as a member or not.
              <label key={id} hidden={!found.has(id)} className="flex min-h-control items-center gap-2 text-sm">
                <input type="checkbox" name="member" value={id} defaultChecked={team.members.includes(id)} />
                <span className="truncate" dir="auto">
                  {name}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <Refusal error={save.error ?? remove.error} after="team" />
        {isSure && <p className="text-sm text-pretty">{t('teams.deleteBody')}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="danger" disabled={isBusy} onClick={() => (isSure ? remove.mutate() : setSure(true))}>
            {t(isSure ? 'teams.deleteSure' : 'teams.delete')}
          </Button>
          <span className="grow" />
          <Button onClick={onClose}>{t('team.keep')}</Button>
          <Button type="submit" look="primary" disabled={isBusy || people === undefined}>
            {t('teams.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
