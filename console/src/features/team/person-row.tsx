import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { type TextName, t } from '../../locales/text.ts';
import type { Person, Role } from './requests.ts';

interface Props {
  readonly person: Person;
  readonly teamNames: ReadonlyMap<string, string>;
  readonly isMe: boolean;
  /** The roles that may be given; null: nothing about this person may be changed. */
  readonly roles: readonly Role[] | null;
  readonly isBusy: boolean;
  readonly onRole: (person: Person, role: Role) => void;
  readonly onInvite: (person: Person) => void;
  readonly onRemove: (person: Person) => void;
}

/** Somebody who answers customers, and what may be done about them. */
export function PersonRow({ person, teamNames, isMe, roles, isBusy, onRole, onInvite, onRemove }: Props) {
  const { name, email, role, availability, teams } = person;
  const inTeams = teams.map((id) => teamNames.get(id)).filter((one) => one !== undefined);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <Avatar name={name} size={32} />
      <div className="min-w-40 grow basis-40">
        <p className="truncate font-medium" dir="auto">
          {name} {isMe && <span className="font-normal text-muted">({t('team.you')})</span>}
        </p>
        <p className="truncate text-xs text-muted" dir="auto">
          {email !== null && `${email} · `}
          {t(`presence.${availability}`)} · {inTeams.length === 0 ? t('team.noTeam') : inTeams.join(', ')}
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
            onChange={(event) => onRole(person, event.currentTarget.value as Role)}
            className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm"
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {t(`team.role.${one}`)}
              </option>
            ))}
          </select>
          <Button disabled={isBusy} onClick={() => onInvite(person)} aria-label={`${t('team.invite')}: ${name}`}>
            {t('team.invite')}
          </Button>
          <Button
            look="quiet"
            disabled={isBusy || isMe}
            onClick={() => onRemove(person)}
            aria-label={`${t('team.delete')}: ${name}`}
          >
            {t('team.delete')}
          </Button>
        </>
      )}
    </li>
  );
}
