import { PostriderError } from '@postrider/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';

/** Why a change was refused. What needs a recent sign-in leads to one. */
export function Refusal({ error }: { readonly error: Error | null }) {
  const navigate = useNavigate();
  if (error === null) return null;
  const isOld = error instanceof PostriderError && error.code === 'sign_in_again';
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <span className="min-w-0 grow">{isOld ? t('team.againBody') : error.message}</span>
      {isOld && <Button onClick={() => void navigate({ to: '/sign-in' })}>{t('team.again')}</Button>}
    </div>
  );
}
