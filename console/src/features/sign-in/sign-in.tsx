import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { refusalStatus } from '../../app/api.ts';
import { signInByLink } from '../../app/session.ts';
import { Brand } from '../../components/brand.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';

type Stage = { readonly at: 'form' | 'working' } | { readonly at: 'failed'; readonly why: 'used' | 'away' | 'tooMany' };

const TOO_MANY = 429;

/** The token of a link stands behind its `#`. */
const tokenIn = (text: string): string | null => new URLSearchParams(text.split('#').at(-1) ?? '').get('token');

/** Browsers send the fragment to nobody; it is taken out of the address and its history at once. */
function takeToken(): string | null {
  const token = tokenIn(location.hash);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}

/** Lets a person in by the link that was printed or sent to them. */
export function SignIn() {
  const navigate = useNavigate();
  const token = useRef<string | null | undefined>(undefined);
  if (token.current === undefined) token.current = takeToken();
  const [stage, setStage] = useState<Stage>({ at: token.current === null ? 'form' : 'working' });
  const wasTried = useRef(false);
  const enter = async () => {
    setStage({ at: 'working' });
    try {
      await signInByLink(token.current ?? '');
      await navigate({ to: '/inbox', replace: true });
    } catch (error) {
      const status = refusalStatus(error);
      setStage({ at: 'failed', why: status === null ? 'away' : status === TOO_MANY ? 'tooMany' : 'used' });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link works once, so it is tried once.
  useEffect(() => {
    // A link that is opened in a page that is open already changes nothing but the fragment.
    const again = () => {
      const fresh = takeToken();
      if (fresh === null) return;
      token.current = fresh;
      void enter();
    };
    addEventListener('hashchange', again);
    if (token.current !== null && !wasTried.current) {
      wasTried.current = true;
      void enter();
    }
    return () => removeEventListener('hashchange', again);
  }, []);
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
        {stage.at === 'failed' && stage.why !== 'used' && (
          <div role="alert" className="text-center">
            <p className="font-semibold">{t(stage.why === 'away' ? 'service.away' : 'signIn.tooMany')}</p>
            <p className="mt-1 mb-4 text-muted">{t('signIn.awayBody')}</p>
            <Button onClick={() => void enter()}>{t('action.tryAgain')}</Button>
          </div>
        )}
        {(stage.at === 'form' || (stage.at === 'failed' && stage.why === 'used')) && (
          <LinkForm
            isUsed={stage.at === 'failed'}
            onToken={(given) => {
              token.current = given;
              void enter();
            }}
          />
        )}
      </div>
    </main>
  );
}

interface FormProps {
  /** Whether a link was tried that no longer works. */
  readonly isUsed: boolean;
  readonly onToken: (token: string) => void;
}

/** Where to get a link, and a place to paste it. */
function LinkForm({ isUsed, onToken }: FormProps) {
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = tokenIn(String(new FormData(event.currentTarget).get('link')).trim());
    setWrong(token === null);
    if (token !== null) onToken(token);
  };
  return (
    <div className="rounded-xl border border-line bg-surface p-5">
      <div role={isUsed ? 'alert' : undefined}>
        <p className="font-semibold">{t(isUsed ? 'signIn.linkUsed' : 'signIn.title')}</p>
        <p className="mt-1 text-sm text-pretty text-muted">{t(isUsed ? 'signIn.linkUsedBody' : 'signIn.body')}</p>
      </div>
      <ul className="mt-3 flex list-disc flex-col gap-1.5 ps-4 text-sm text-muted">
        <li>
          {t('signIn.nextStart')} <code className="font-mono text-xs text-ink">npm start</code>
        </li>
        <li>
          {t('signIn.nextOperator')} <code className="font-mono text-xs text-ink">postrider users link</code>
        </li>
        <li>{t('signIn.nextAsk')}</li>
      </ul>
      <form onSubmit={submit} className="mt-5 border-t border-line pt-4">
        <label className="block text-sm font-medium">
          {t('signIn.link')}
          <input
            name="link"
            type="text"
            autoComplete="off"
            spellCheck={false}
            required
            placeholder="http://…/sign-in#token=…"
            className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2.5 font-normal"
          />
        </label>
        {isWrong && (
          <p role="alert" className="mt-1.5 text-sm text-bad">
            {t('signIn.noLink')}
          </p>
        )}
        <Button type="submit" look="primary" className="mt-3 h-9 w-full">
          {t('signIn.submit')}
        </Button>
      </form>
    </div>
  );
}
