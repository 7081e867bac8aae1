import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { beginTotp, removeTotp, renewRecoveryCodes } from './account-api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Problem, Section } from './section.tsx';
import { TotpSetup } from './totp-setup.tsx';

/** The authenticator app, and the codes that stand in for it. */
export function Totp() {
  const { sign_in } = useMe();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useMutation({ mutationFn: beginTotp });
  if (codes !== null) {
    return (
      <Section title={t('totp.title')}>
        <p className="text-sm text-good">{t('totp.isOn')}</p>
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      </Section>
    );
  }
  if (sign_in.totp) return <TotpInUse onCodes={setCodes} />;
  const show = (made: readonly string[]) => {
    setCodes(made);
    begin.reset();
  };
  return (
    <Section title={t('totp.title')}>
      <p className="mb-3 text-sm text-pretty text-muted">{t('totp.body')}</p>
      {begin.data === undefined ? (
        <>
          <Button disabled={begin.isPending} onClick={() => begin.mutate()}>
            {t('totp.begin')}
          </Button>
          <Problem error={begin.error} />
        </>
      ) : (
        <TotpSetup totp={begin.data} onCodes={show} onCancel={() => begin.reset()} />
      )}
    </Section>
  );
}

/** What can be done while an app is in use. */
function TotpInUse({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const { sign_in } = useMe();
  const [isSure, setSure] = useState(false);
  const remove = useMutation({ mutationFn: removeTotp });
  const renew = useMutation({ mutationFn: renewRecoveryCodes, onSuccess: onCodes });
  return (
    <Section title={t('totp.title')}>
      <p className="text-sm">{t('totp.isOn')}</p>
      <p className={`mt-1 text-sm ${sign_in.recovery_codes < 3 ? 'text-warn' : 'text-muted'}`}>
        {t('recovery.left', { count: sign_in.recovery_codes })} {t('recovery.againBody')}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabled={renew.isPending} onClick={() => renew.mutate()}>
          {t('recovery.again')}
        </Button>
        {isSure ? (
          <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t('totp.removeSure')}
          </Button>
        ) : (
          <Button look="quiet" onClick={() => setSure(true)}>
            {t('totp.remove')}
          </Button>
        )}
      </div>
      <Problem error={renew.error ?? remove.error} />
    </Section>
  );
}
