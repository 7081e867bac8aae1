import { useMutation } from '@tanstack/react-query';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { type SsoTest, testIssuer } from './requests.ts';

interface Props {
  readonly issuer: string;
  readonly groupsClaim: string;
}

/** Asks the issuer before anybody depends on it, and says what was found. */
export function IssuerTest({ issuer, groupsClaim }: Props) {
  const test = useMutation({ mutationFn: testIssuer });
  // What was found is true of that issuer alone.
  const isOfThis = test.variables === issuer;
  return (
    <div className="flex flex-col items-start gap-2">
      <Button disabled={issuer.trim() === '' || test.isPending} onClick={() => test.mutate(issuer)}>
        {t(test.isPending ? 'ssoPage.testing' : 'ssoPage.test')}
      </Button>
      {isOfThis && <Refusal error={test.error} after="sso" />}
      {isOfThis && test.data !== undefined && <Found found={test.data} groupsClaim={groupsClaim} />}
    </div>
  );
}

function Found({ found, groupsClaim }: { readonly found: SsoTest; readonly groupsClaim: string }) {
  const { problem, authorization_endpoint: address, claims_supported: claims, back_channel_logout: hasLogout } = found;
  if (problem !== null) {
    return (
      <p role="status" className="text-sm text-pretty text-bad">
        {t(`ssoPage.${problem}`)}
      </p>
    );
  }
  const isWithoutClaim = claims !== null && !claims.includes(groupsClaim);
  return (
    <p role="status" className="text-sm text-pretty [overflow-wrap:anywhere] text-good">
      {t('ssoPage.reachable', { address: address ?? '' })}. {hasLogout && t('ssoPage.withLogout')}{' '}
      {isWithoutClaim && <span className="text-muted">{t('ssoPage.withoutClaim', { name: groupsClaim })}</span>}
    </p>
  );
}
