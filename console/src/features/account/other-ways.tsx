import { Passkeys } from './passkeys.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

/** What a person signs in with beside a password. */
export function OtherWays() {
  return (
    <>
      <Passkeys />
      <SingleSignOn />
    </>
  );
}
