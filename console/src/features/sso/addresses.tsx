import { useId, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import type { SsoConnection } from './requests.ts';

/** What is registered at the identity provider, and where people begin. */
export function Addresses({ connection }: { readonly connection: SsoConnection }) {
  return (
    <section aria-labelledby="sso-addresses" className="border-b border-line py-5">
      <h2 id="sso-addresses" className="font-semibold">
        {t('ssoPage.addresses')}
      </h2>
      <p className="mt-1 mb-3 text-sm text-pretty text-muted">{t('ssoPage.addressesBody')}</p>
      <div className="flex flex-col gap-3">
        <Address label={t('ssoPage.callback')} value={connection.callback_url} />
        <Address label={t('ssoPage.logout')} value={connection.logout_url} />
        <Address label={t('ssoPage.start')} value={connection.start_url} />
      </div>
    </section>
  );
}

function Address({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Without a clipboard, what is selected can be copied by hand.
      field.current?.select();
    }
  };
  return (
    <div>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          ref={field}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          className="h-control min-w-0 grow rounded-md border border-line-strong bg-surface px-2.5 font-mono text-xs"
        />
        <Button aria-label={t('ssoPage.copy', { name: label })} onClick={() => void copy()}>
          <span aria-live="polite">{t(isCopied ? 'team.copied' : 'team.copy')}</span>
        </Button>
      </div>
    </div>
  );
}
