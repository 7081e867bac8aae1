/** The texts about forgotten passwords and confirmed email addresses, in English. */
export const enRecovery = {
  'emailConfirmation.body':
    'This address is not confirmed. Only a confirmed address gets a link to set a new password, if you ever forget yours.',
  'emailConfirmation.done': 'Confirmed: {time}',
  'emailConfirmation.send': 'Send a link to confirm it',
  'emailConfirmation.sent': 'A link was sent to {address}. Open it in this browser within a day.',
  'forgotten.asked': 'Check your mail',
  'forgotten.askedBody':
    'If somebody has confirmed the address {email}, a link is on its way. It works once, within 30 minutes. If nothing comes, ask an administrator for a link.',
  'forgotten.away': 'The service cannot be reached. Try again in a moment.',
  'forgotten.back': 'Back to signing in',
  'forgotten.body': 'A link to sign in and set a new password is sent to your email address, if you have confirmed it.',
  'forgotten.open': 'Forgot your password?',
  'forgotten.submit': 'Send the link',
  'forgotten.title': 'Forgot your password?',
  'forgotten.tooMany': 'Too many requests. Wait a quarter of an hour, then try again.',
} as const;
