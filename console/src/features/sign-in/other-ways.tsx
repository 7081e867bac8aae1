import { PasskeyButton } from './passkey-button.tsx';
import { SsoButton } from './sso-button.tsx';

interface Props {
  /** What has let the person in calls this: the session is open. */
  readonly onSignedIn: () => void;
}

/** Ways to sign in that need no name and nothing to type. */
export function OtherWays({ onSignedIn }: Props) {
  return (
    <div className="flex w-full flex-col gap-2">
      <SsoButton />
      <PasskeyButton onSignedIn={onSignedIn} />
    </div>
  );
}
