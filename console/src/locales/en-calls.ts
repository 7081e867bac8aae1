/** Calls in the conversation. */
export const enCalls = {
  'call.answered': 'Voice call',
  'call.erased': 'Voice call',
  'call.failed': 'Voice call that could not be connected',
  'call.hours': '{hours} h {minutes} min',
  'call.minutes': '{minutes} min {seconds} s',
  'call.missed': 'Missed voice call',
  'call.ours.answered': 'Voice call to the customer',
  'call.ours.failed': 'Voice call to the customer that could not be connected',
  'call.ours.missed': 'Voice call to the customer, not answered',
  'call.ours.rejected': 'Voice call to the customer, declined',
  'call.ours.ringing': 'Calling the customer',
  'call.rejected': 'Declined voice call',
  'call.ringing': 'The customer is calling',
  'call.seconds': '{seconds} s',
  'call.spoken': '{call}, {duration}',
} as const;
