import Type from 'typebox';
import { networkIntervals } from '#analytics/domain/network-figures';
import {
  choiceOf,
  named,
  nullableInteger,
  nullableObject,
  nullableText,
  phoneNumberId,
  time,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { networkAccountField } from '#templates/http/schemas/template';

const count = (description: string) => nullableInteger(description, { minimum: 0 });
const amount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, description });

/** What every report of the network's figures says of itself besides what every report does. */
export const networkReportFields = {
  from: time(named('ReportStart', 'Start of the report, extended to a full day in UTC.')),
  to: time(named('ReportEnd', 'End of the report, exclusive, extended to a full day in UTC.')),
  network_account_id: Type.String({ description: "The network's ID of the account." }),
  interval: choiceOf(networkIntervals, named('NetworkInterval', 'Length of a step, in UTC.')),
};

export const networkReportExample = { network_account_id: '300400500600', interval: 'day' } as const;

export const accountParameter = {
  network_account_id: Type.Optional(withExample(networkAccountField, '300400500600')),
};

/** Of reports that can be about one number. */
export const numberParameters = {
  ...accountParameter,
  phone_number_id: Type.Optional(withExample(phoneNumberId(), '106540352242922')),
  interval: Type.Optional(
    withExample(
      choiceOf(networkIntervals, named('NetworkInterval', 'Length of a step, in UTC. Default: day.')),
      'month',
    ),
  ),
};

const stepFields = {
  start: time('Start of the step.'),
  end: time('End of the step, exclusive.'),
};

export const NetworkMessagesRow = viewOf(named('NetworkMessageMetrics', 'Messages in one step.'), {
  ...stepFields,
  sent: count('Messages sent, as the network counts them.'),
  delivered: count('Messages delivered, as the network counts them.'),
  ours: viewOf(named('OurMessageCounts', 'What this service counted for the same step and the same numbers.'), {
    sent: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were sent so far.' }),
    delivered: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were delivered so far.' }),
  }),
});

export const NetworkPricingRow = viewOf(named('NetworkPricingMetrics', 'What messages cost, for one step and key.'), {
  ...stepFields,
  key: Type.String({ description: 'The category, type, country, number or tier, in lowercase.' }),
  volume: count('Messages delivered.'),
  cost: amount("Cost in the account's currency."),
  ours: nullableObject('What this service counted for the same step and key. Null if it does not count these.', {
    delivered: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were delivered so far.' }),
  }),
});

export const NetworkConversationRow = viewOf(
  named('NetworkConversationMetrics', 'What conversations cost, for one step and key.'),
  {
    ...stepFields,
    key: Type.String({ description: 'The category, direction, type, country or number, in lowercase.' }),
    conversations: count('Conversations, as the network counts them.'),
    cost: amount("Cost in the account's currency."),
  },
);

export const NetworkTemplateRow = viewOf(named('NetworkTemplateMetrics', 'Messages with one template in one step.'), {
  ...stepFields,
  template: Type.String({ description: 'Name of the template.' }),
  language: Type.String({ description: 'Its language.' }),
  network_template_id: Type.String({ description: "The network's ID of the template." }),
  sent: count('Messages sent.'),
  delivered: count('Messages delivered.'),
  read: count('Messages read.'),
  clicks: Type.Array(
    viewOf(named('ButtonClicks', 'Clicks on one button.'), {
      type: nullableText('Type of the button.'),
      button: nullableText('Label of the button.'),
      count: count('Number of clicks.'),
    }),
    { description: 'Clicks on buttons.' },
  ),
  amount_spent: amount("Cost in the account's currency."),
  cost_per_delivered: amount('Cost per delivered message.'),
  cost_per_click: amount('Cost per click on a button with a URL.'),
  ours: nullableObject(
    'What this service counted for the same step and all languages of the name. Null if the tenant has numbers in other accounts.',
    {
      sent: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were sent so far.' }),
      delivered: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were delivered so far.' }),
      read: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were read so far.' }),
      replied: Type.Integer({ minimum: 0, description: 'Messages accepted in the step that were answered so far.' }),
    },
  ),
});
