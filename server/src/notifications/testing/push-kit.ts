import { type Clock, systemClock } from '#runtime/clock';
import type { Log } from '#runtime/log';
import { makePerson, type TestPerson } from '#testing/test-people';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { makeBrowser, startPushService, type TestBrowser, type TestPushService } from './push-service.ts';

/** So slow that what a page has, 3 seconds, passes on no machine while a test does what must come before it. */
const SLOWNESS = 100;

/** The service with a push service beside it, and a clock that hardly moves but when a test moves it on. */
export interface PushKit {
  readonly kit: TestService;
  readonly pushes: TestPushService;
  /** Moves the clock of the service on. */
  pass(ms: number): void;
  close(): Promise<void>;
}

export async function startPushKit({ log }: { readonly log?: Log } = {}): Promise<PushKit> {
  let aheadMs = 0;
  const [startMs, startMonotonic] = [systemClock.now(), systemClock.monotonic()];
  const passed = () => (systemClock.monotonic() - startMonotonic) / SLOWNESS + aheadMs;
  const clock: Clock = {
    ...systemClock,
    now: () => Math.floor(startMs + passed()),
    monotonic: () => startMonotonic + passed(),
  };
  const pushes = await startPushService();
  const options = { clock, config: { webhookAllow: '127.0.0.1' } };
  const kit = await startTestService(log === undefined ? options : { ...options, log });
  return {
    kit,
    pushes,
    pass: (ms) => {
      aheadMs += ms;
    },
    close: async () => {
      await kit.close();
      await pushes.close();
    },
  };
}

/** Somebody who is signed in and notified in a browser. */
export interface Subscriber {
  readonly tenant: TestTenant;
  readonly person: TestPerson;
  readonly agentId: string;
  readonly browser: TestBrowser;
}

export async function makeSubscriber({ kit, pushes }: PushKit, of?: TestTenant): Promise<Subscriber> {
  const tenant = of ?? (await makeTestTenant(kit, { ratePerSecond: 0 }));
  const person = await makePerson(kit, tenant);
  const { body } = await person.signIn();
  const browser = makeBrowser(pushes);
  const answer = await person.ask('PUT', '/v1/me/push-subscriptions', browser.subscription);
  if (answer.status !== 200) throw new Error(answer.text);
  return { tenant, person, agentId: body.agent.id, browser };
}

/** A conversation of a customer. */
export async function openConversation(kit: TestService, tenant: TestTenant, text = 'Hi', name = 'Ada Obi') {
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text, name });
  const { body } = await kit.until(
    () => tenant.call('GET', `/v1/messages/inbound?from=${from}`),
    (answer) => answer.body.data.length > 0,
    'the message is stored',
  );
  return { id: body.data[0].conversation_id as string, from };
}

/** Notifies agents, by a note that mentions them. */
export function mention(tenant: TestTenant, conversationId: string, agentIds: readonly string[], body = '@you') {
  const note = { type: 'note', body, mentions: agentIds };
  return tenant.call('POST', `/v1/conversations/${conversationId}/messages`, note);
}
