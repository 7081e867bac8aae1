import type { Passkey } from '@postrider/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { plainTime, t } from '../../locales/text.ts';

interface Props {
  readonly passkey: Passkey;
  readonly isBusy: boolean;
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}

/** One passkey, which can be renamed, and removed after a second thought. */
export function PasskeyRow({ passkey, isBusy, onRename, onRemove }: Props) {
  const [at, setAt] = useState<'rest' | 'rename' | 'remove'>('rest');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name !== '' && name !== passkey.name) onRename(name);
    setAt('rest');
  };
  if (at === 'rename') {
    return (
      <li className="py-2.5">
        <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
          <input
            name="name"
            aria-label={t('passkey.name')}
            defaultValue={passkey.name}
            maxLength={100}
            required
            className="h-control min-w-0 grow rounded-md border border-line-strong bg-surface px-2.5"
          />
          <Button type="submit" look="primary">
            {t('passkey.save')}
          </Button>
          <Button look="quiet" onClick={() => setAt('rest')}>
            {t('passkey.keep')}
          </Button>
        </form>
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 grow">
        <p className="truncate font-medium" dir="auto">
          {passkey.name}
        </p>
        <p className="text-sm text-muted">
          {passkey.last_used_at === null
            ? t('passkey.neverUsed', { time: plainTime(passkey.created_at) })
            : t('passkey.used', { time: plainTime(passkey.last_used_at) })}
          {passkey.backed_up && ` · ${t('passkey.backedUp')}`}
        </p>
      </div>
      {at === 'remove' ? (
        <>
          <Button look="danger" disabled={isBusy} onClick={onRemove}>
            {t('passkey.removeSure')}
          </Button>
          <Button look="quiet" onClick={() => setAt('rest')}>
            {t('passkey.keep')}
          </Button>
        </>
      ) : (
        <>
          <Button
            look="quiet"
            aria-label={t('passkey.renameOne', { name: passkey.name })}
            onClick={() => setAt('rename')}
          >
            {t('passkey.rename')}
          </Button>
          <Button
            look="quiet"
            aria-label={t('passkey.removeOne', { name: passkey.name })}
            onClick={() => setAt('remove')}
          >
            {t('passkey.remove')}
          </Button>
        </>
      )}
    </li>
  );
}
