import { Passkeys } from './passkeys.tsx';

/** What a person signs in with beside a password. */
export function OtherWays() {
  return <Passkeys />;
}
