import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';

interface Props {
  readonly isWrong: boolean;
  readonly onCode: (code: string) => void;
  readonly onRestart: () => void;
}

/** The second factor: a code of the app, or a recovery code. */
export function CodeForm({ isWrong, onCode, onRestart }: Props) {
  const [isRecovery, setRecovery] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCode(String(new FormData(event.currentTarget).get('code')).trim());
  };
  return (
    <form onSubmit={submit}>
      <p className="font-semibold">{t('signIn.codeTitle')}</p>
      <p className="mt-1 mb-4 text-sm text-pretty text-muted">
        {t(isRecovery ? 'signIn.recoveryBody' : 'signIn.codeBody')}
      </p>
      <TextField
        key={String(isRecovery)}
        label={t(isRecovery ? 'signIn.recoveryCode' : 'signIn.code')}
        name="code"
        type="text"
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={isRecovery ? 40 : 10}
        required
        autoFocus
        problem={isWrong ? t('totp.wrong') : undefined}
      />
      <Button type="submit" look="primary" className="mt-3 h-field w-full">
        {t('signIn.submit')}
      </Button>
      <div className="mt-3 flex justify-between">
        <Button look="quiet" className="-ms-3" onClick={() => setRecovery(!isRecovery)}>
          {t(isRecovery ? 'signIn.useApp' : 'signIn.useRecovery')}
        </Button>
        <Button look="quiet" className="-me-3" onClick={onRestart}>
          {t('signIn.restart')}
        </Button>
      </div>
    </form>
  );
}
