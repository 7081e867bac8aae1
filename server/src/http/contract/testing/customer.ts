import type { TestService } from '#testing/test-service';
import type { Answered, ContractClient } from './contract-client.ts';

/** The customer of these tests. */
export const CUSTOMER = '447700900777';

/** A customer writes. @returns the message as the list shows it, once it has arrived */
export async function customerWrites(
  kit: TestService,
  client: ContractClient,
  { text, from = CUSTOMER }: { readonly text: string; readonly from?: string },
): Promise<Answered['json']> {
  await kit.simulate('POST', '/_sim/inbound', { from, text });
  const path = `/v1/messages/inbound?from=${from}&limit=1`;
  const newest = async () => (await client.get(path)).json.data[0];
  return kit.until(newest, (message) => message?.body === text, 'the message of the customer is here');
}
