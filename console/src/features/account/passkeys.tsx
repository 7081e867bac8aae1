import { PostriderError } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef } from 'react';
import { refusalStatus } from '../../app/api.ts';
import type { AppCommand } from '../../app/command-registry.ts';
import { useCommands } from '../../app/commands.tsx';
import {
  addPasskey,
  hasPasskeys,
  NoPasskeyUsed,
  passkeysQuery,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from '../../app/people/passkeys.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { PasskeyRow } from './passkey-row.tsx';

/** A change of passkeys, as one function: the list is read again after each. */
type Change = () => Promise<unknown>;

/** The passkeys of the person: listed, added, renamed, removed. */
export function Passkeys() {
  const { data: passkeys, error: unread, refetch } = useQuery(passkeysQuery);
  const queries = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (change: Change) => change(),
    onSettled: () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
  const field = useRef<HTMLInputElement>(null);
  const commands = useMemo<readonly AppCommand[]>(
    () => [{ id: 'passkey-add', name: t('passkey.add'), group: 'group.general', run: () => field.current?.focus() }],
    [],
  );
  useCommands(commands);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name')).trim();
    if (name !== '') mutate(() => addPasskey(name), { onSuccess: () => form.reset() });
  };
  const isStale = error instanceof PostriderError && error.code === 'sign_in_again';
  return (
    <section aria-labelledby="passkeys" className="border-t border-line py-5">
      <h2 id="passkeys" className="font-semibold">
        {t('passkey.title')}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted">{t('passkey.body')}</p>
      {unread && passkeys === undefined ? (
        <div role="alert" className="mt-3 flex items-center gap-3 text-sm text-bad">
          {t('service.away')}
          <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
        </div>
      ) : (
        <ul aria-label={t('passkey.title')} aria-busy={passkeys === undefined} className="mt-2 divide-y divide-line">
          {passkeys === undefined && <li className="skeleton my-2.5 h-field rounded-md" />}
          {passkeys?.length === 0 && <li className="py-2.5 text-sm text-muted">{t('passkey.none')}</li>}
          {passkeys?.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isBusy={isPending}
              onRename={(name) => mutate(() => renamePasskey(passkey.id, name))}
              onRemove={() => mutate(() => removePasskey(passkey.id))}
            />
          ))}
        </ul>
      )}
      {error && (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-3 text-sm text-pretty text-bad">
          {reasonOf(error)}
          {isStale && passkeys?.length !== 0 && variables !== undefined && (
            <Button onClick={() => mutate(() => signInWithPasskey().then(variables))}>{t('passkey.confirm')}</Button>
          )}
        </div>
      )}
      {hasPasskeys() ? (
        <form onSubmit={add} className="mt-3 flex flex-wrap gap-2">
          <input
            ref={field}
            name="name"
            aria-label={t('passkey.newName')}
            placeholder={t('passkey.example')}
            maxLength={100}
            required
            className="h-control min-w-0 grow rounded-md border border-line-strong bg-surface px-2.5"
          />
          <Button type="submit" disabled={isPending}>
            {t(isPending ? 'passkey.waiting' : 'passkey.add')}
          </Button>
        </form>
      ) : (
        <p className="mt-3 text-sm text-muted">{t('passkey.notHere')}</p>
      )}
    </section>
  );
}

function reasonOf(error: Error): string {
  if (error instanceof NoPasskeyUsed) return t('passkey.noneMade');
  return refusalStatus(error) === null ? t('service.away') : error.message;
}
