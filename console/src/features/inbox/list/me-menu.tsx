import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AppCommand } from '../../../app/command-registry.ts';
import { useCommands, useRegistry } from '../../../app/commands.tsx';
import { useMe } from '../../../app/me.tsx';
import { signOut, switchTenant } from '../../../app/session.ts';
import { setTheme } from '../../../app/theme.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { t } from '../../../locales/text.ts';

const MY_COMMANDS: readonly AppCommand[] = [
  { id: 'theme-light', name: t('theme.light'), group: 'group.general', run: () => setTheme('light') },
  { id: 'theme-dark', name: t('theme.dark'), group: 'group.general', run: () => setTheme('dark') },
  { id: 'theme-system', name: t('theme.system'), group: 'group.general', run: () => setTheme('system') },
  { id: 'reference', name: t('me.reference'), group: 'group.general', run: () => void open('/docs', '_blank') },
  { id: 'sign-out', name: t('me.signOut'), group: 'group.general', run: () => void signOut() },
];

/** What the parts of the menu begin with. */
const GROUPS: ReadonlySet<string> = new Set(['account', 'theme-light', 'reference']);

/** Who is signed in, and what belongs to them. */
export function MeMenu({ isShort = false }: { readonly isShort?: boolean }) {
  const me = useMe();
  const { openHelp, openPalette } = useRegistry();
  const name = me.user?.name ?? me.agent?.name ?? t('me.key');
  const navigate = useNavigate();
  const ofPerson = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'account',
        name: t('account.open'),
        group: 'group.general',
        key: 'g a',
        run: () => void navigate({ to: '/account' }),
      },
      { id: 'team', name: t('team.open'), group: 'group.general', run: () => void navigate({ to: '/settings/team' }) },
      ...(me.permissions.includes('settings:manage')
        ? [
            {
              id: 'sso',
              name: t('ssoPage.open'),
              group: 'group.general' as const,
              run: () => void navigate({ to: '/settings/sso' }),
            },
          ]
        : []),
      ...me.tenants
        .filter(({ id }) => id !== me.tenant.id)
        .map(({ id, name: tenant }) => ({
          id: `switch-${id}`,
          name: t('tenants.switch', { name: tenant }),
          group: 'group.general' as const,
          // A refusal means that the person has just lost the tenant: reading anew shows what is left.
          run: () => void switchTenant(id).catch(() => location.reload()),
        })),
      ...MY_COMMANDS,
    ],
    [me, navigate],
  );
  useCommands(ofPerson);
  const entries = [
    { id: 'palette', label: t('command.open'), run: openPalette },
    { id: 'help', label: t('command.help'), run: openHelp },
    ...ofPerson.map(({ id, name: label, run }) => ({ id, label, run, beginsGroup: GROUPS.has(id) })),
  ];
  return (
    <MenuButton
      {...(isShort ? { label: name, align: 'end' as const } : { side: 'top' as const })}
      entries={entries}
      className={`flex items-center gap-2 rounded-md px-1.5 text-start hover:bg-hover data-[popup-open]:bg-hover ${isShort ? 'h-control min-w-control justify-center' : 'h-10 w-full'}`}
    >
      <Avatar name={name} size={26} />
      {!isShort && <span className="min-w-0 grow truncate text-sm">{name}</span>}
    </MenuButton>
  );
}
