import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { plainTime, type TextName, t } from '../../locales/text.ts';
import type { Invitation, Mailed } from './requests.ts';

interface Props {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/** The link of an invitation, which nobody can read again later. */
export function InvitationLink({ invitation: { name, url, expires_at: until, email }, onClose }: Props) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // Pages over plain HTTP from another machine have no clipboard: what is selected can be copied by hand.
      field.current?.select();
    }
  };
  return (
    <Panel isOpen onClose={onClose} title={t('team.invited', { name })}>
      <div className="flex flex-col gap-3 p-5">
        {email !== null && <MailOutcome email={email} />}
        <p className="text-sm text-muted">
          {t(email?.sent ? 'team.invitedMailedBody' : 'team.invitedBody', { name, time: plainTime(until) })}
        </p>
        <div className="flex gap-2">
          <input
            ref={field}
            readOnly
            value={url}
            aria-label={t('team.link')}
            onFocus={(event) => event.currentTarget.select()}
            className="h-control min-w-0 grow rounded-md border border-line-strong bg-surface px-2.5 font-mono text-xs"
          />
          <Button look="primary" onClick={() => void copy()}>
            <span aria-live="polite">{t(isCopied ? 'team.copied' : 'team.copy')}</span>
          </Button>
        </div>
      </div>
    </Panel>
  );
}

/** Whether the link went out by email, and why not. */
function MailOutcome({ email: { sent, address, reason } }: { readonly email: Mailed }) {
  const values = { address: address ?? '' };
  if (sent) {
    return (
      <p role="status" className="text-sm text-good">
        {t('team.mailed', values)}
      </p>
    );
  }
  return (
    <p role="status" className="rounded-md bg-hover px-3 py-2 text-sm">
      {t('team.notMailed')} {reason !== null && t(`team.notMailed.${reason}` satisfies TextName, values)}
    </p>
  );
}
