import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useMemo } from 'react';
import type { AppCommand } from '../../app/command-registry.ts';
import { useCommands } from '../../app/commands.tsx';
import { signOut } from '../../app/session.ts';
import { t } from '../../locales/text.ts';
import { OtherWays } from './other-ways.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { Tenants } from './tenants.tsx';
import { Totp } from './totp.tsx';

/** Who the person is, how they sign in, and where they are signed in. */
export function Account() {
  const navigate = useNavigate();
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'inbox',
        name: t('lost.action'),
        group: 'group.general',
        key: 'g i',
        run: () => void navigate({ to: '/inbox' }),
      },
      { id: 'sign-out', name: t('me.signOut'), group: 'group.general', run: () => void signOut() },
    ],
    [navigate],
  );
  useCommands(commands);
  return (
    <main className="scroll-area h-full">
      <div className="mx-auto max-w-xl px-5 pt-5 pb-16">
        <header className="mb-2">
          <Link
            to="/inbox"
            className="-ms-1.5 inline-flex min-h-control items-center gap-1 rounded-md px-1.5 text-sm text-muted"
          >
            <ArrowLeft size={15} aria-hidden="true" className="rtl:rotate-180" />
            {t('account.back')}
          </Link>
          <h1 className="mt-1 text-xl font-semibold">{t('account.title')}</h1>
        </header>
        <Profile />
        <Password />
        <Totp />
        <OtherWays />
        <Sessions />
        <Tenants />
      </div>
    </main>
  );
}
