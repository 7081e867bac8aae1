import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AppCommand } from '../../app/command-registry.ts';
import { useCommands } from '../../app/commands.tsx';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { Section } from './section.tsx';

/** The service connects an identity within ten minutes of a sign-in; the way to the provider takes some of it. */
const RECENT_MS = 9 * 60_000;

/** Connects the person with their identity at the provider of the tenant, where there is one. */
export function SingleSignOn() {
  const { session, sign_in } = useMe();
  const navigate = useNavigate();
  const sso = sign_in.single_sign_on;
  const startUrl = sso?.start_url;
  const signedInMs = Date.parse(session?.signed_in_at ?? '');
  const connect = useMemo(() => {
    if (startUrl === undefined) return null;
    return () => {
      if (Date.now() - signedInMs > RECENT_MS) void navigate({ to: '/sign-in', search: { after: 'account' } });
      else location.assign(`${startUrl}?link=true&return_to=/account`);
    };
  }, [startUrl, signedInMs, navigate]);
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      connect === null ? [] : [{ id: 'sso-connect', name: t('ssoOwn.connect'), group: 'group.general', run: connect }],
    [connect],
  );
  useCommands(commands);
  if (sso === null || connect === null) return null;
  return (
    <Section title={t('ssoOwn.title')}>
      <p className="mb-3 text-sm text-pretty text-muted">{t(sso.connected ? 'ssoOwn.connected' : 'ssoOwn.body')}</p>
      <Button onClick={connect}>{t(sso.connected ? 'ssoOwn.reconnect' : 'ssoOwn.connect')}</Button>
    </Section>
  );
}
