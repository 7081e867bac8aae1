import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { AFTER_SIGN_IN } from '../../app/people/after-sign-in.ts';
import { Brand } from '../../components/brand.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { Blocked } from './blocked.tsx';
import { CodeForm } from './code-form.tsx';
import { LinkForm } from './link-form.tsx';
import { takeToken } from './link-token.ts';
import { OtherWays } from './other-ways.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryForm, sendsMail } from './recovery-form.tsx';
import { type Attempt, type SignInProblem, useSignIn } from './use-sign-in.ts';

const byLink = (token: string): Attempt => ({ proof: { method: 'link', token }, remember: false });

/** Lets a person in: by a password, by a link that was made for them, and by a second factor besides. */
export function SignIn() {
  const navigate = useNavigate();
  const { after } = useSearch({ from: '/sign-in' });
  const token = useRef<string | null | undefined>(undefined);
  if (token.current === undefined) token.current = takeToken();
  const goOn = useCallback(
    () => void navigate({ to: after === undefined ? '/inbox' : AFTER_SIGN_IN[after], replace: true }),
    [navigate, after],
  );
  const { stage, enter, startOver } = useSignIn({ at: token.current === null ? 'form' : 'working' }, goOn);
  const [email, setEmail] = useState('');
  const wasTried = useRef(false);
  useEffect(() => {
    // A link that is opened in a page that is open already changes nothing but the fragment.
    const again = () => {
      const fresh = takeToken();
      if (fresh !== null) void enter(byLink(fresh));
    };
    addEventListener('hashchange', again);
    // A link works once, so it is tried once.
    if (token.current && !wasTried.current) {
      wasTried.current = true;
      void enter(byLink(token.current));
    }
    return () => removeEventListener('hashchange', again);
  }, [enter]);
  const start = (attempt: Attempt) => {
    if (attempt.proof.method === 'password') setEmail(attempt.proof.email);
    void enter(attempt);
  };
  return (
    <main className="grid h-full place-items-center overflow-y-auto p-5">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center justify-center gap-2.5">
          <Brand size={30} />
          <h1 className="text-xl font-semibold">Postrider</h1>
        </div>
        {stage.at === 'working' && (
          <p role="status" className="text-center text-muted">
            {t('signIn.working')}
          </p>
        )}
        {stage.at === 'form' && <FirstStep problem={stage.problem} email={email} onAttempt={start} onSignedIn={goOn} />}
        {stage.at === 'code' && (
          <div className="rounded-xl border border-line bg-surface p-5">
            <CodeForm
              isWrong={stage.isWrong}
              onCode={(code) => void enter(stage.attempt, code)}
              onRestart={startOver}
            />
          </div>
        )}
        {stage.at === 'blocked' && <Blocked untilMs={stage.untilMs} onRestart={startOver} />}
        {stage.at === 'away' && (
          <Away isLink={stage.attempt.proof.method === 'link'} onRetry={() => void enter(stage.attempt, stage.code)} />
        )}
      </div>
    </main>
  );
}

interface FirstStepProps {
  readonly problem: SignInProblem | undefined;
  readonly email: string;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly onSignedIn: () => void;
}

/** The forms to begin with. */
function FirstStep({ problem, email, onAttempt, onSignedIn }: FirstStepProps) {
  const [isLink, setLink] = useState(problem === 'linkUsed');
  const [isForgotten, setForgotten] = useState(false);
  if (isForgotten) return <RecoveryForm email={email} onBack={() => setForgotten(false)} />;
  return (
    <>
      {problem === 'ssoRequired' && (
        <p role="alert" className="mb-3 text-sm text-pretty text-bad">
          {t('signIn.ssoRequired')}
        </p>
      )}
      <div className="rounded-xl border border-line bg-surface p-5">
        {isLink ? (
          <LinkForm isUsed={problem === 'linkUsed'} onToken={(given) => onAttempt(byLink(given))} />
        ) : (
          <PasswordForm
            isWrong={problem === 'wrong'}
            email={email}
            onSubmit={onAttempt}
            onForgotten={sendsMail() ? () => setForgotten(true) : null}
          />
        )}
      </div>
      <div className="mt-3 flex flex-col items-center gap-2">
        <OtherWays onSignedIn={onSignedIn} />
        <Button look="quiet" onClick={() => setLink(!isLink)}>
          {t(isLink ? 'signIn.byPassword' : 'signIn.byLink')}
        </Button>
      </div>
    </>
  );
}

/** No answer came: nothing was decided, so that the same can be tried again. */
function Away({ isLink, onRetry }: { readonly isLink: boolean; readonly onRetry: () => void }) {
  const isOffline = !navigator.onLine;
  return (
    <div role="alert" className="text-center">
      <p className="font-semibold">{t(isOffline ? 'signIn.offline' : 'service.away')}</p>
      <p className="mt-1 mb-4 text-muted">
        {t(isLink ? 'signIn.awayBody' : isOffline ? 'signIn.offlineBody' : 'service.awayBody')}
      </p>
      <Button onClick={onRetry}>{t('action.tryAgain')}</Button>
    </div>
  );
}
