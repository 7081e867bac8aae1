import { Ellipsis } from 'lucide-react';
import { Avatar } from '../../components/avatar.tsx';
import { MenuButton, type MenuEntry } from '../../components/menu-button.tsx';
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
  const entries: readonly MenuEntry[] = [
    { id: 'details', label: t('team.details'), run: () => on.onDetails(person) },
    { id: 'invite', label: t('team.invite'), run: () => on.onInvite(person) },
    ...(isMe
      ? []
      : [{ id: 'remove', label: t('team.delete'), beginsGroup: true, run: () => on.onRemove(person) } as const]),
  ];
  return (
    <li className="flex items-center gap-3 border-b border-line py-3">
      <Avatar name={name} size={32} />
      <div className="min-w-0 grow">
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
        <p className="text-xs text-muted md:truncate">
          {person.email !== null && (
            <>
              <span className="block truncate md:inline" dir="auto">
                {person.email}
              </span>
              <span className="hidden md:inline">{SEPARATOR}</span>
            </>
          )}
          {factsOf(person, teamNames)}
        </p>
      </div>
      {roles === null ? (
        <span className="shrink-0 text-sm text-muted">{t(`team.role.${role}` as TextName)}</span>
      ) : (
        <>
          <select
            aria-label={t('team.roleOf', { name })}
            value={role}
            disabled={isBusy}
            onChange={(event) => on.onRole(person, event.currentTarget.value as Role)}
            className="h-control shrink-0 rounded-md border border-line-strong bg-surface px-2 text-sm"
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {t(`team.role.${one}`)}
              </option>
            ))}
          </select>
          <MenuButton
            label={t('team.actionsOf', { name })}
            align="end"
            entries={entries}
            className="inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
          >
            <Ellipsis size={17} aria-hidden="true" />
          </MenuButton>
        </>
      )}
    </li>
  );
}

const SEPARATOR = ' · ';

/** Beside the address, which has a line of its own where there is little room. */
function factsOf({ availability, teams, capacity }: Person, teamNames: ReadonlyMap<string, string>): string {
  const inTeams = teams.map((id) => teamNames.get(id)).filter((one) => one !== undefined);
  return [
    t(`presence.${availability}`),
    inTeams.length === 0 ? t('team.noTeam') : inTeams.join(', '),
    t('team.load', { open: capacity.open, max: capacity.max_open }),
  ].join(SEPARATOR);
}
