import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { named, nullableObject, nullableText, nullableTime, nullableUuid } from '#http/schemas/fields';

const AccountNotice = Type.Object(
  {
    id: Type.String({ description: 'Identifies the report.' }),
    account_id: nullableUuid('Linked account that it is about. Null if the operator added the number.'),
    network_account_id: Type.String({ description: "The network's ID of the account." }),
    phone_number_id: nullableText('Sending number that it is about. Null: the whole account.'),
    field: Type.String({ description: "The network's name of the kind of report, such as account_update." }),
    kind: nullableText("The network's word for what happened, such as PARTNER_REMOVED. Null if it has none."),
    message: Type.String({ description: 'One sentence for people.' }),
    reported_at: nullableTime('Time reported by the network.'),
    value: nullableObject('The report, as sent by the network. Null if it is larger than 16 kB.', {}),
  },
  named('AccountNotice', 'What the network reports of an account or a sending number.'),
);

/** What events of accounts carry. */
export const accountEvents: Partial<Record<EventType, EventDescription>> = {
  'account.notice': {
    data: AccountNotice,
    example: {
      id: '9f2c4b1d7a6e4f0c8b3a5d1e2f607182',
      account_id: '0190a6f2-8c25-7a10-8f00-0a1b2c3d4e5f',
      network_account_id: '102290129340398',
      phone_number_id: null,
      field: 'account_update',
      kind: 'ACCOUNT_VIOLATION',
      message: 'The account violated a policy of the network: SCAM.',
      reported_at: '2030-01-01T09:00:00.000Z',
      value: { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } },
    },
  },
};
