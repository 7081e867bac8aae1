import type { Keyring } from '#runtime/keyring';
import type { PersonDeps } from '#users/actions/person-deps';
import type { Mailer } from '#users/domain/mail';
import type { IdentityProviders } from '#users/domain/sso';

declare module '#http/deps' {
  interface HttpDeps {
    /** What lets people in. */
    readonly people: PersonDeps;
    /** Null: no mail server is set up. */
    readonly mailer: Mailer | null;
    /** What single sign-on works with. */
    readonly sso: {
      readonly keyring: Keyring;
      readonly providers: IdentityProviders;
    };
  }
}
