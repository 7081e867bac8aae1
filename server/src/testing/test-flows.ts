import { linkAccount, makeSimulatedAccount } from './peers/link-dialog.ts';
import type { TestService } from './test-service.ts';
import { freshPhone, type TestTenant } from './test-tenant.ts';

/** A form of one screen that can be published. */
export const flowJson = {
  version: '7.2',
  screens: [
    {
      id: 'DAY',
      title: 'Appointment',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'TextInput', name: 'day', label: 'Day' },
          { type: 'Footer', label: 'Send', 'on-click-action': { name: 'complete', payload: {} } },
        ],
      },
    },
  ],
} as const;

/** A draft with JSON in an account of the tenant. @returns its id */
export async function makeFlow(tenant: Pick<TestTenant, 'call'>, networkAccountId: string): Promise<string> {
  const name = `of ${networkAccountId} ${freshPhone()}`;
  const fields = { name, categories: ['other'], network_account_id: networkAccountId, flow_json: flowJson };
  const { status, text, body } = await tenant.call('POST', '/v1/flows', fields);
  if (status !== 201) throw new Error(`No flow was created: ${status} ${text}`);
  return body.id;
}

/** Publishes a draft, and waits until the network has reported it. @returns its id */
export async function publishFlow(kit: TestService, tenant: Pick<TestTenant, 'call'>, id: string): Promise<string> {
  const { status, text } = await tenant.call('POST', `/v1/flows/${id}/publish`);
  if (status !== 200) throw new Error(`The flow was not published: ${status} ${text}`);
  const ask = async () => (await tenant.call('GET', '/v1/events?types=account.notice&limit=1000')).body.data;
  const isReported = (events: { data: { value?: { flow_id?: string } } }[]) =>
    events.some(({ data }) => data.value?.flow_id === id);
  await kit.until(ask, isReported, 'the network reports that the flow is published');
  return id;
}

/** A message with a flow, for `POST /v1/messages`. @param parameters which flow, and what differs from the usual */
export function flowMessage(parameters: object): object {
  const action = { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Begin', ...parameters } };
  return { type: 'interactive', interactive: { type: 'flow', body: { text: 'Please choose a day.' }, action } };
}

/** A customer's answer to a message that is sent. */
export interface FlowReply {
  readonly messageId: string;
  readonly from: string;
  readonly phoneNumberId: string;
  readonly entered: object;
}

/** Lets the phone of a customer answer, and waits until the answer is stored. @returns its message */
export async function answerFlow(kit: TestService, tenant: TestTenant, reply: FlowReply) {
  const { messageId, from, phoneNumberId, entered } = reply;
  const { delivery } = await tenant.untilMessage(messageId, ({ status }) => status === 'sent', 'the flow is sent');
  const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?limit=1000&from=${from}`)).body.data;
  const before = (await ask()).length;
  const answer = { from, phone_number_id: phoneNumberId, reply_to: delivery.network_message_id, flow_reply: entered };
  await kit.simulate('POST', '/_sim/inbound', answer);
  const [newest] = await kit.until(ask, (list) => list.length > before, 'the answer is stored');
  return newest;
}

const BECOMES_ANSWER = `update inbound_messages set type = 'interactive', reply_to = $2, content = $3::text::jsonb
  where tenant_id = $1 and message_id = $4`;

/**
 * A draft whose message waits for its time, with answers to it: nothing of it moves by itself, which a message that is sent would.
 * @param inboundIds messages of customers, which become the answers
 * @returns the id of the flow
 */
export async function makeAnsweredFlow(
  kit: TestService,
  tenant: TestTenant,
  inboundIds: readonly string[],
): Promise<string> {
  const { networkAccountId } = await makeSimulatedAccount(kit);
  await linkAccount(tenant, networkAccountId);
  const id = await makeFlow(tenant, networkAccountId);
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const sentId = await tenant.send(freshPhone(), { ...flowMessage({ flow_id: id }), body: undefined, send_at });
  const reply = {
    name: 'flow',
    body: 'Sent',
    response_json: JSON.stringify({ flow_token: 'order-42', day: 'Monday' }),
  };
  const content = JSON.stringify({ type: 'nfm_reply', nfm_reply: reply });
  for (const messageId of inboundIds) {
    const statement = { name: 'test_becomes_answer', text: BECOMES_ANSWER };
    await kit.service.db.run(statement, [tenant.tenantId, sentId, content, messageId]);
  }
  return id;
}
