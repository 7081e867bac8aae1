import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { tokenIn } from './link-token.ts';

interface Props {
  /** Whether a link was tried that no longer works. */
  readonly isUsed: boolean;
  readonly onToken: (token: string) => void;
}

/** Where to get a link, and a place to paste it. */
export function LinkForm({ isUsed, onToken }: Props) {
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = tokenIn(String(new FormData(event.currentTarget).get('link')).trim());
    setWrong(token === null);
    if (token !== null) onToken(token);
  };
  return (
    <>
      <div role={isUsed ? 'alert' : undefined}>
        <p className="font-semibold">{t(isUsed ? 'signIn.linkUsed' : 'signIn.title')}</p>
        <p className="mt-1 text-sm text-pretty text-muted">{t(isUsed ? 'signIn.linkUsedBody' : 'signIn.body')}</p>
      </div>
      <ul className="mt-3 flex list-disc flex-col gap-1.5 ps-4 text-sm text-muted">
        <li>
          {t('signIn.nextStart')} <code className="font-mono text-xs text-ink">npm start</code>
        </li>
        <li>
          {t('signIn.nextOperator')} <code className="font-mono text-xs text-ink">postrider users link</code>
        </li>
        <li>{t('signIn.nextAsk')}</li>
      </ul>
      <form onSubmit={submit} className="mt-5 border-t border-line pt-4">
        <TextField
          label={t('signIn.link')}
          name="link"
          type="text"
          autoComplete="off"
          spellCheck={false}
          required
          placeholder="http://…/sign-in#token=…"
          problem={isWrong ? t('signIn.noLink') : undefined}
        />
        <Button type="submit" look="primary" className="mt-3 h-field w-full">
          {t('signIn.submit')}
        </Button>
      </form>
    </>
  );
}
