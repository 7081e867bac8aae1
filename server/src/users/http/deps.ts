import type { Keyring } from '#runtime/keyring';
import type { PersonDeps } from '#users/actions/person-deps';
import type { IdentityProviders } from '#users/domain/sso';

declare module '#http/deps' {
  interface HttpDeps {
    /** What lets people in. */
    readonly people: PersonDeps;
    /** What single sign-on works with. */
    readonly sso: {
      readonly keyring: Keyring;
      readonly providers: IdentityProviders;
    };
  }
}
