import type { ErrorRule } from '../error-rule.ts';

/** What people who sign in, or have signed in, are answered. */
export const signInErrors = {
  not_signed_in: {
    status: 401,
    fault: 'caller',
    sentence: 'You are not signed in, or your session has ended. Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    fault: 'caller',
    sentence: 'This link is not valid: it was used, or its time is over. Ask for a new one.',
  },
  second_factor_required: {
    status: 401,
    fault: 'caller',
    sentence: 'This person also signs in with a code of an authenticator app, or a recovery code. Send it as code.',
  },
  second_factor_failed: {
    status: 401,
    fault: 'caller',
    sentence: 'This code is wrong, or was used before. Wait for the next one of the app, or use a recovery code.',
  },
  wrong_password: { status: 403, fault: 'caller', sentence: 'The current password is wrong.' },
  sign_in_again: {
    status: 403,
    fault: 'caller',
    sentence: 'Sign in again to do this: your last sign-in is more than 10 minutes ago.',
  },
  sso_required: {
    status: 403,
    fault: 'caller',
    sentence: 'This tenant is entered by single sign-on alone. Sign in at your identity provider.',
  },
  passkey_refused: {
    status: 409,
    fault: 'caller',
    sentence: 'The passkey was not added. Begin again.',
  },
  passkeys_unavailable: {
    status: 409,
    fault: 'caller',
    sentence: 'Passkeys need a domain name and HTTPS. The operator of this service can set MESSAGING_PUBLIC_URL.',
  },
  cross_site: {
    status: 403,
    fault: 'caller',
    sentence:
      'A request with a session that changes something needs the header Postrider-Client, and must come from a page of this service.',
  },
} as const satisfies Record<string, ErrorRule>;
