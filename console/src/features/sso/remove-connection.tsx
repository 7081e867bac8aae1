import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { removeSso } from './requests.ts';

/** Says what follows before the connection is gone. */
export function RemoveConnection({ onRemoved }: { readonly onRemoved: () => void }) {
  const [isSure, setSure] = useState(false);
  const remove = useMutation({ mutationFn: removeSso, onSuccess: onRemoved });
  return (
    <section aria-label={t('ssoPage.remove')} className="flex flex-col items-start gap-3 border-t border-line py-5">
      {isSure && <p className="text-sm text-pretty">{t('ssoPage.removeBody')}</p>}
      <Refusal error={remove.error} after="sso" />
      <div className="flex gap-2">
        <Button look="danger" disabled={remove.isPending} onClick={() => (isSure ? remove.mutate() : setSure(true))}>
          {t(isSure ? 'ssoPage.removeSure' : 'ssoPage.remove')}
        </Button>
        {isSure && <Button onClick={() => setSure(false)}>{t('team.keep')}</Button>}
      </div>
    </section>
  );
}
