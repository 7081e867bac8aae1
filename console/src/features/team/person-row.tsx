import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { type TextName, t } from '../../locales/text.ts';
import type { Colleague, Person, Role } from './requests.ts';

interface Props {
  readonly person: Person;
  /** Null: nobody signs in as this agent; undefined: not known here. */
  readonly colleague: Colleague | null | undefined;
  readonly teamNames: ReadonlyMap<string, string>;
  readonly isMe: boolean;
  /** The roles that may be given; null: nothing about this person may be changed. */
  readonly roles: readonly Role[] | null;
  readonly isBusy: boolean;
  readonly onRole: (person: Person, role: Role) => void;
  readonly onInvite: (person: Person) => void;
  readonly onDetails: (person: Person) => void;
  readonly onRemove: (person: Person) => void;
}

/** Somebody who answers customers, and what may be done about them. */
export function PersonRow({ person, colleague, teamNames, isMe, roles, isBusy, ...on }: Props) {
  const { name, role } = person;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3">
      <Avatar name={name} size={32} />
      <div className="min-w-40 grow basis-40">
        <p className="flex items-baseline gap-2 font-medium">
          <span className="truncate" dir="auto">
            {name}
          </span>
          {isMe && <span className="font-normal text-muted">({t('team.you')})</span>}
          {colleague === null && (
            <span className="shrink-0 rounded bg-hover px-1.5 text-xs font-normal text-muted">
              {t('team.noPerson')}
            </span>
          )}
        </p>
        <p className="truncate text-xs text-muted" dir="auto">
          {factsOf(person, teamNames)}
        </p>
      </div>
      {roles === null ? (
        <span className="text-sm text-muted">{t(`team.role.${role}` as TextName)}</span>
      ) : (
        <>
          <select
            aria-label={t('team.roleOf', { name })}
            value={role}
            disabled={isBusy}
            onChange={(event) => on.onRole(person, event.currentTarget.value as Role)}
            className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm"
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {t(`team.role.${one}`)}
              </option>
            ))}
          </select>
          <Button disabled={isBusy} onClick={() => on.onInvite(person)} aria-label={`${t('team.invite')}: ${name}`}>
            {t('team.invite')}
          </Button>
          <Button onClick={() => on.onDetails(person)} aria-label={`${t('team.details')}: ${name}`}>
            {t('team.details')}
          </Button>
          <Button
            look="quiet"
            disabled={isBusy || isMe}
            onClick={() => on.onRemove(person)}
            aria-label={`${t('team.delete')}: ${name}`}
          >
            {t('team.delete')}
          </Button>
        </>
      )}
    </li>
  );
}

function factsOf({ email, availability, teams, capacity }: Person, teamNames: ReadonlyMap<string, string>): string {
  const inTeams = teams.map((id) => teamNames.get(id)).filter((one) => one !== undefined);
  return [
    ...(email === null ? [] : [email]),
    t(`presence.${availability}`),
    inTeams.length === 0 ? t('team.noTeam') : inTeams.join(', '),
    t('team.load', { open: capacity.open, max: capacity.max_open }),
  ].join(' · ');
}
