import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { State } from '../../components/state.tsx';
import { t } from '../../locales/text.ts';
import { AmongField, FIND_FROM, FindField } from './find-field.tsx';
import { type Among, findPeople, peopleAmong } from './find-people.ts';
import { PersonRow } from './person-row.tsx';
import { colleaguesQuery, type Person, peopleQuery, type Role, teamsQuery } from './requests.ts';

interface Props {
  /** The roles that may be given; null: nothing may be changed. */
  readonly roles: readonly Role[] | null;
  readonly isBusy: boolean;
  readonly onRole: (person: Person, role: Role) => void;
  readonly onInvite: (person: Person) => void;
  readonly onDetails: (person: Person) => void;
  readonly onRemove: (person: Person) => void;
}

/** Rows that are drawn at first, and with each further step. */
const STEP = 50;

/** Everybody who answers customers. Owners are changed by owners alone. */
export function PeopleList({ roles, ...row }: Props) {
  const me = useMe();
  const [text, setText] = useState('');
  const [among, setAmong] = useState<Among>('all');
  const [drawn, setDrawn] = useState(STEP);
  const { data: people, error, refetch } = useQuery(peopleQuery);
  const { data: teams = [] } = useQuery(teamsQuery);
  const { data: colleagues } = useQuery({ ...colleaguesQuery, enabled: roles !== null });
  if (people === undefined) {
    if (error === null) return <div className="skeleton h-40" aria-busy="true" />;
    return (
      <State title={t('team.failed')} body={error.message}>
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
      </State>
    );
  }
  if (people.length === 0) return <State title={t('team.none')} body={t('team.noneBody')} />;
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]));
  const isInvited = (id: string) => colleagues?.get(id)?.invitation != null;
  const found = findPeople(peopleAmong(people, among, isInvited), text);
  const more = found.length - drawn;
  return (
    <>
      {people.length > FIND_FROM && (
        <div className="grid gap-2 sm:grid-cols-[1fr_auto]">
          <FindField
            text={text}
            count={found.length}
            onText={(next) => {
              setText(next);
              setDrawn(STEP);
            }}
          />
          <AmongField
            knowsInvited={roles !== null}
            among={among}
            onAmong={(next) => {
              setAmong(next);
              setDrawn(STEP);
            }}
          />
        </div>
      )}
      {found.length === 0 && <Nobody isSearched={text.trim() !== ''} />}
      <ul aria-label={t('team.open')} hidden={found.length === 0} className="border-t border-line">
        {found.slice(0, drawn).map((person) => (
          <PersonRow
            key={person.id}
            {...row}
            person={person}
            colleague={colleagues === undefined ? undefined : (colleagues.get(person.id) ?? null)}
            teamNames={teamNames}
            isMe={person.id === me.agent?.id}
            roles={roles?.some((role) => role === person.role) ? roles : null}
          />
        ))}
      </ul>
      {more > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => setDrawn(drawn + STEP)}>{t('teamFind.more', { count: Math.min(more, STEP) })}</Button>
          <p className="text-sm text-muted">{t('teamFind.shown', { shown: drawn, all: found.length })}</p>
        </div>
      )}
    </>
  );
}

function Nobody({ isSearched }: { readonly isSearched: boolean }) {
  if (isSearched) return <State title={t('teamFind.none')} body={t('teamFind.noneBody')} />;
  return <State title={t('teamFind.noneAmong')} />;
}
