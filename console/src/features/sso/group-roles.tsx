import { ArrowUp, Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { type GroupRole, ROLES, type Role } from './requests.ts';

interface Props {
  readonly roles: readonly GroupRole[];
  /** Whether the person may make owners of a group. */
  readonly isOwner: boolean;
  readonly onChange: (roles: readonly GroupRole[]) => void;
}

/** Which group of the provider may do what here; the order decides. */
export function GroupRoles({ roles, isOwner, onChange }: Props) {
  const change = (at: number, fields: Partial<GroupRole>) =>
    onChange(roles.map((one, index) => (index === at ? { ...one, ...fields } : one)));
  const moveUp = (at: number) => {
    const [before, moved] = [roles[at - 1], roles[at]];
    if (before === undefined || moved === undefined) return;
    onChange([...roles.slice(0, at - 1), moved, before, ...roles.slice(at + 1)]);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{t('ssoPage.groups')}</legend>
      <p className="mt-1 text-xs text-pretty text-muted">{t('ssoPage.groupsBody')}</p>
      <ul className="mt-2 flex flex-col gap-2">
        {roles.map(({ group, role }, at) => {
          const name = group === '' ? String(at + 1) : group;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own, and what is typed must not make a new one.
            <li key={at} className="flex flex-wrap items-center gap-2">
              <input
                aria-label={`${t('ssoPage.group')} ${at + 1}`}
                value={group}
                required
                maxLength={200}
                dir="auto"
                autoComplete="off"
                onChange={(event) => change(at, { group: event.currentTarget.value })}
                className="h-field min-w-32 grow rounded-md border border-line-strong bg-surface px-2.5 text-sm"
              />
              <RoleSelect
                label={t('ssoPage.roleOf', { name })}
                value={role}
                isOwner={isOwner}
                onChange={(next) => next !== null && change(at, { role: next })}
              />
              <IconButton label={t('ssoPage.moveUp', { name })} disabled={at === 0} onClick={() => moveUp(at)}>
                <ArrowUp size={15} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={t('ssoPage.removeRole', { name })}
                onClick={() => onChange(roles.filter((_one, index) => index !== at))}
              >
                <X size={15} aria-hidden="true" />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <Button className="mt-2" onClick={() => onChange([...roles, { group: '', role: 'agent' }])}>
        <Plus size={15} aria-hidden="true" />
        {t('ssoPage.addRole')}
      </Button>
    </fieldset>
  );
}

interface RoleSelectProps {
  readonly label: string;
  /** Null: no access. */
  readonly value: Role | null;
  readonly isOwner: boolean;
  /** What stands for no role; absent: one must be chosen. */
  readonly none?: string;
  readonly onChange: (role: Role | null) => void;
}

/** Chooses a role. Only owners give away theirs. */
export function RoleSelect({ label, value, isOwner, none, onChange }: RoleSelectProps) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(ROLES.find((role) => role === event.currentTarget.value) ?? null)}
      className="h-field rounded-md border border-line-strong bg-surface px-2 text-sm"
    >
      {none !== undefined && <option value="">{none}</option>}
      {ROLES.filter((role) => isOwner || role !== 'owner' || role === value).map((role) => (
        <option key={role} value={role}>
          {t(`team.role.${role}`)}
        </option>
      ))}
    </select>
  );
}
