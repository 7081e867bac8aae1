import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { TextField } from '../../components/text-field.tsx';
import { plainTime, t } from '../../locales/text.ts';
import { PersonSessions } from './person-sessions.tsx';
import { changeCapacity, colleaguesQuery, type Person } from './requests.ts';

interface Props {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

/** How much somebody takes on, and where they are signed in. */
export function PersonPanel({ person, onClose, onChanged }: Props) {
  const { data: colleagues } = useQuery(colleaguesQuery);
  const colleague = colleagues?.get(person.id);
  return (
    <Panel isOpen onClose={onClose} title={person.name}>
      <div className="flex flex-col gap-6 p-5">
        <Capacity person={person} onChanged={onChanged} />
        <section aria-labelledby="person-sessions">
          <h3 id="person-sessions" className="font-medium">
            {t('team.sessions')}
          </h3>
          {colleagues !== undefined && colleague === undefined ? (
            <p className="mt-1 text-sm text-pretty text-muted">{t('team.noPersonBody')}</p>
          ) : (
            <>
              <p className="mt-1 text-sm text-muted">
                {colleague?.last_used_at == null
                  ? t('team.neverUsed')
                  : t('team.lastUsed', { time: plainTime(colleague.last_used_at) })}
              </p>
              <PersonSessions id={person.id} name={person.name} onChanged={onChanged} />
            </>
          )}
        </section>
      </div>
    </Panel>
  );
}

function Capacity({ person: { id, capacity }, onChanged }: Omit<Props, 'onClose'>) {
  const save = useMutation({ mutationFn: (max: number) => changeCapacity(id, max), onSettled: onChanged });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(Number(new FormData(event.currentTarget).get('max')));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <TextField
          className="grow"
          label={t('team.capacity')}
          name="max"
          type="number"
          required
          min={0}
          max={10_000}
          step={1}
          defaultValue={capacity.max_open}
        />
        <Button type="submit" disabled={save.isPending} className="h-field">
          {t('team.saveCapacity')}
        </Button>
      </div>
      <p className="text-xs text-muted">{t('team.capacityHint', { count: capacity.open })}</p>
      <Refusal error={save.error} after="team" />
      {save.isSuccess && (
        <p role="status" className="text-sm text-good">
          {t('account.saved')}
        </p>
      )}
    </form>
  );
}
