import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { refusalStatus } from '../../app/api.ts';
import { hasPasskeys, NoPasskeyUsed, signInWithPasskey } from '../../app/people/passkeys.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';

const UNAUTHORIZED = 401;
const TOO_MANY = 429;

/** Signs in with a passkey; the browser asks which one. Not there in browsers that have none. */
export function PasskeyButton({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: onSignedIn,
  });
  if (!hasPasskeys()) return null;
  return (
    <div>
      <Button className="h-field w-full" disabled={isPending} onClick={() => mutate()}>
        <KeyRound size={15} aria-hidden="true" />
        {t(isPending ? 'passkey.waiting' : 'passkey.signIn')}
      </Button>
      {error && (
        <p role="alert" className="mt-1.5 text-sm text-pretty text-bad">
          {reasonOf(error)}
        </p>
      )}
    </div>
  );
}

function reasonOf(error: Error): string {
  if (error instanceof NoPasskeyUsed) return t('passkey.noneUsed');
  const status = refusalStatus(error);
  if (status === null) return t('service.away');
  if (status === TOO_MANY) return t('signIn.blocked');
  return status === UNAUTHORIZED ? t('passkey.notAccepted') : error.message;
}
