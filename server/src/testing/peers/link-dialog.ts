import { randomInt } from 'node:crypto';
import type { Answer, TestService } from '../test-service.ts';
import type { TestTenant } from '../test-tenant.ts';

/** An account at the simulator with one number, as the dialog offers it. */
export interface SimulatedAccount {
  readonly networkAccountId: string;
  readonly phoneNumberId: string;
}

/** Makes an account that no other test knows. `registered`: whether its number can send already. */
export async function makeSimulatedAccount(kit: TestService, registered = false): Promise<SimulatedAccount> {
  const networkAccountId = freshId('30');
  const phoneNumberId = await addSimulatedNumber(kit, networkAccountId, registered);
  return { networkAccountId, phoneNumberId };
}

/** @returns its id */
export async function addSimulatedNumber(
  kit: TestService,
  networkAccountId: string,
  registered = false,
  phoneNumberId = freshId('40'),
): Promise<string> {
  await kit.simulate('POST', '/_sim/numbers', {
    phone_number_id: phoneNumberId,
    waba_id: networkAccountId,
    display_phone_number: freshId('1555'),
    registered,
    verified_name: 'Flower shop',
    quality_rating: 'GREEN',
    messaging_limit: 'TIER_2K',
  });
  return phoneNumberId;
}

/** A form that allows the account. */
export function allow(networkAccountId: string): Readonly<Record<string, string>> {
  return { decision: 'continue', waba_id: networkAccountId };
}

/** Asks for a dialog and clicks through it as a person would. @returns the address that the browser is led back to */
export async function passDialog(
  tenant: Pick<TestTenant, 'call'>,
  form: Readonly<Record<string, string>>,
  platform = 'meta',
): Promise<string> {
  const asked = await tenant.call('GET', `/v1/${platform}/oauth/url`);
  if (asked.status !== 200) throw new Error(`There is no dialog: ${asked.status} ${asked.text}`);
  return click(asked.body.url, form);
}

/** Posts the form of an open dialog. @returns where it leads */
export async function click(dialogUrl: string, form: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(dialogUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`The dialog leads nowhere: ${response.status} ${await response.text()}`);
  return location;
}

/** Follows the way back as a program (JSON) or as a browser (a page). */
export async function comeBack(address: string, accept = '*/*'): Promise<Answer> {
  const response = await fetch(address, { headers: { accept } });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/** The whole way. @returns the account */
export async function linkAccount(tenant: Pick<TestTenant, 'call'>, networkAccountId: string): Promise<Answer['body']> {
  const answer = await comeBack(await passDialog(tenant, allow(networkAccountId)));
  if (answer.status !== 200) throw new Error(`Linking failed: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** `step` → state, or its error's code. */
export function stepsOf(account: Answer['body']): Readonly<Record<string, string>> {
  const steps = account.steps as { step: string; state: string; error: { code: string } | null }[];
  return Object.fromEntries(steps.map(({ step, state, error }) => [step, error?.code ?? state]));
}

function freshId(prefix: string): string {
  return prefix + String(randomInt(1_000_000_000)).padStart(9, '0');
}
