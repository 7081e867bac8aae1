import type { TokenProvider } from '#accounts/actions/account-token';
import type { LinkDeps } from '#accounts/actions/link-deps';

declare module '#http/deps' {
  interface HttpDeps {
    /** Which access token a call for a number carries. */
    readonly tokens: TokenProvider;
    /** What linking accounts works with. */
    readonly linking: LinkDeps;
  }
}
