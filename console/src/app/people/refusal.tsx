import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { refusalCode, refusalSentence } from '../session.ts';
import type { AfterSignIn } from './after-sign-in.ts';

interface Props {
  readonly error: Error | null;
  /** The screen to return to after signing in again. */
  readonly after: AfterSignIn;
}

/** Why a change was refused. What needs a recent sign-in leads to one. */
export function Refusal({ error, after }: Props) {
  const navigate = useNavigate();
  if (error === null) return null;
  const isOld = refusalCode(error) === 'sign_in_again';
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <span className="min-w-0 grow">
        {isOld ? t('team.againBody') : (refusalSentence(error) ?? t('service.away'))}
      </span>
      {isOld && <Button onClick={() => void navigate({ to: '/sign-in', search: { after } })}>{t('team.again')}</Button>}
    </div>
  );
}
