import { useMutation } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { plainTime, type TextName, t } from '../../locales/text.ts';
import { confirmEmail, sendConfirmation } from './account-api.ts';
import { Done, Problem } from './section.tsx';

const LINK = /^#confirm=([\w-]+)$/;

/** Whether the address is known to be the person's own, and what makes it so. A link in the mail leads here. */
export function EmailConfirmation() {
  const { user, installation } = useMe();
  const send = useMutation({ mutationFn: sendConfirmation });
  const { mutate: confirm, ...confirmed } = useMutation({ mutationFn: confirmEmail });
  useEffect(() => {
    const take = () => {
      const [, token] = LINK.exec(location.hash) ?? [];
      if (token === undefined) return;
      // What stands in the address bar is kept in the history of the browser.
      history.replaceState(history.state, '', location.pathname);
      confirm(token);
    };
    take();
    // A link that is opened in a page that is open already changes nothing but the fragment.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [confirm]);
  if (user === null || user.email === null) return null;
  if (user.email_confirmed_at !== null) {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-muted">
        <CircleCheck size={15} aria-hidden="true" className="shrink-0 text-good" />
        {t('emailConfirmation.done', { time: plainTime(user.email_confirmed_at) })}
      </p>
    );
  }
  if (!installation.mail) return <Problem error={confirmed.error} />;
  return (
    <div className="border-t border-line pt-3">
      <p className="text-sm text-pretty text-muted">{t('emailConfirmation.body')}</p>
      <div className="mt-2">
        <Button disabled={send.isPending || confirmed.isPending} onClick={() => send.mutate()}>
          {t('emailConfirmation.send')}
        </Button>
        <Problem error={confirmed.error ?? send.error} />
        {send.data?.sent === true && <Done text={t('emailConfirmation.sent', { address: send.data.address })} />}
        {send.data?.sent === false && (
          <p role="alert" className="mt-2 text-sm text-bad">
            {t(`team.notMailed.${send.data.reason}` as TextName, { address: send.data.address })}
          </p>
        )}
      </div>
    </div>
  );
}
