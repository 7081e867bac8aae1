import { callApi, type TestService } from './test-service.ts';

/** Has the network block customers who wrote to a number. @returns the number */
export async function blockCustomers(
  { sim }: Pick<TestService, 'sim'>,
  phoneNumberId: string,
  users: readonly string[],
): Promise<string> {
  const headers = { authorization: 'Bearer token' };
  for (const user of users) {
    const body = { messaging_product: 'whatsapp', block_users: [{ user }] };
    const { status, text } = await callApi(sim.url, 'POST', `/v26.0/${phoneNumberId}/block_users`, body, headers);
    if (status !== 200) throw new Error(`The network blocked nobody: ${status} ${text}`);
  }
  return phoneNumberId;
}
