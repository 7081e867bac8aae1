import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../components/button.tsx';
import { State } from '../components/state.tsx';
import { t } from '../locales/text.ts';
import { refusalStatus } from './api.ts';
import { CommandsProvider } from './commands.tsx';
import { DraftsProvider } from './composing/drafts.tsx';
import { LiveProvider, useLine } from './live.tsx';
import { MeContext } from './me.tsx';
import { meQuery } from './resources.ts';
import { SearchCommand } from './search-commands.tsx';
import { WithPhone } from './with-phone.tsx';

/** What stands around every screen of somebody who is signed in. */
export function Shell() {
  const { data: me, error, refetch } = useQuery(meQuery);
  const navigate = useNavigate();
  const isSignedOut = refusalStatus(error) === 401;
  useEffect(() => {
    if (isSignedOut) void navigate({ to: '/sign-in', replace: true });
  }, [isSignedOut, navigate]);
  const screen = (
    <div className="relative min-w-0 grow">
      <Outlet />
    </div>
  );
  if (me !== undefined) {
    return (
      <MeContext value={me}>
        <LiveProvider>
          <CommandsProvider>
            <LeaveWhenSignedOut />
            <SearchCommand />
            <DraftsProvider>
              <div className="flex h-full min-w-0">
                {me.installation.network === 'simulator' ? <WithPhone>{screen}</WithPhone> : screen}
              </div>
            </DraftsProvider>
          </CommandsProvider>
        </LiveProvider>
      </MeContext>
    );
  }
  if (error === null || isSignedOut) return <Waiting />;
  return (
    <main className="h-full">
      <State isPage title={t('service.away')} body={t('service.awayBody')}>
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
      </State>
    </main>
  );
}

function Waiting() {
  return (
    <div className="grid h-full place-items-center" aria-busy="true">
      <div className="skeleton size-8 rounded-full" />
    </div>
  );
}

function LeaveWhenSignedOut() {
  const line = useLine();
  const navigate = useNavigate();
  useEffect(() => {
    if (line === 'signed_out') void navigate({ to: '/sign-in', search: {}, replace: true });
  }, [line, navigate]);
  return null;
}
