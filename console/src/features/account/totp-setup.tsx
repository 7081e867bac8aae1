import type { NewTotp } from '@postrider/sdk';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { refusalCode } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { confirmTotp } from './account-api.ts';
import { Problem } from './section.tsx';

interface Props {
  readonly totp: NewTotp;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Brings the secret into an app, and has the app prove that it knows it. */
export function TotpSetup({ totp, onCodes, onCancel }: Props) {
  const confirm = useMutation({ mutationFn: confirmTotp, onSuccess: onCodes });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(String(new FormData(event.currentTarget).get('code')).trim());
  };
  const isWrong = refusalCode(confirm.error) === 'second_factor_failed';
  return (
    <form onSubmit={submit}>
      <p className="mb-3 text-sm">{t('totp.scan')}</p>
      <QrCode text={totp.uri} label={t('totp.qr')} />
      <p className="mt-3 text-sm text-muted">{t('totp.key')}</p>
      <code className="mt-1 block font-mono text-sm break-all select-all">
        {totp.secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <TextField
        className="mt-4 max-w-48"
        label={t('signIn.code')}
        name="code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
        problem={isWrong ? t('totp.wrong') : undefined}
      />
      <div className="mt-3 flex gap-2">
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          {t('totp.confirm')}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t('totp.cancel')}
        </Button>
      </div>
      {!isWrong && <Problem error={confirm.error} />}
    </form>
  );
}
