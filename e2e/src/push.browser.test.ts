import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CUSTOMER, type OpenConsole, openConsole } from './console-browser.ts';

/* Chromium's own push service cannot be reached in tests: subscribing is answered by the page, and pushes are delivered by the
   browser's debugger. All else is real: the worker, the policy of the page, the service. */
const NOTIFICATION = 'Owner assigned the conversation with Ada Obi to you';

let shown: OpenConsole;
let page: Page;
let context: BrowserContext;
let origin: string;
let conversationId: string;
let debug: CDPSession;
let registrationId: string;
const violations: string[] = [];

beforeAll(async () => {
  shown = await openConsole();
  ({ page, context } = shown);
  origin = new URL(shown.link).origin;
  await context.grantPermissions(['notifications'], { origin });
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) violations.push(message.text());
  });
  await page.addInitScript(subscribeWithoutPushService);
  await page.reload();
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Where is my parcel?');
  await page.keyboard.press('Enter');
  const row = page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER });
  await row.click();
  await page.waitForURL('**/inbox/*');
  conversationId = page.url().split('/').at(-1) ?? '';
});
afterAll(() => shown?.close());

/** Runs in the page, before its scripts. The keys are real ones; nothing is ever sent to the address. */
function subscribeWithoutPushService(): void {
  const KEY = 'postrider-test.subscribed';
  const json = {
    endpoint: 'https://push.example.com/send/browser',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  };
  const subscription = {
    toJSON: () => json,
    unsubscribe: async () => {
      localStorage.removeItem(KEY);
      return true;
    },
  };
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem(KEY, String(options?.applicationServerKey));
    return subscription as unknown as PushSubscription;
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem(KEY) === null ? null : (subscription as unknown as PushSubscription);
}

async function openPreferences(): Promise<void> {
  await page.getByRole('button', { name: /^Notifications: / }).click();
  await page.getByRole('button', { name: 'Notification preferences' }).click();
}
const toggle = () => page.getByRole('checkbox', { name: 'Notify me on this device, also while no page is open' });

async function subscriptions(): Promise<readonly { readonly current: boolean; readonly service: string }[]> {
  return (await (await context.request.get(`${origin}/v1/me/push-subscriptions`)).json()).data;
}

/** The worker, and the number that the debugger knows it by. */
async function startedWorker(): Promise<Worker> {
  debug = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await debug.send('ServiceWorker.enable');
  registrationId = await registered;
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
}

const push = (data: object) =>
  debug.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) });
const pushed = (id: string) => ({
  ...{ id, kind: 'assigned', conversation_id: conversationId, customer: CUSTOMER, who: 'Owner' },
  ...{ text: null, unread: 3, created_at: '2030-01-01T09:05:00.000Z' },
});

interface Shown {
  readonly title: string;
  readonly tag: string;
  readonly data: { readonly id: string; readonly path: string };
}
/** What the worker shows, as soon as there is so much of it. */
function popups(worker: Worker, id: string): Promise<readonly Shown[]> {
  return worker.evaluate(async (wanted) => {
    const { registration } = self as unknown as { readonly registration: ServiceWorkerRegistration };
    for (;;) {
      const list = await registration.getNotifications();
      if (list.some(({ data }) => data.id === wanted))
        return list.map(({ title, tag, data }) => ({ title, tag, data }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, id);
}

describe('notifications on this device', () => {
  test('are turned on in the preferences, under the policy of the page', async () => {
    await openPreferences();
    await page.getByText('Off. Nothing reaches you here while no page is open.').waitFor();
    await toggle().click();
    await page.getByText('On, until you sign out.', { exact: false }).waitFor();
    expect(await subscriptions()).toMatchObject([{ current: true, service: 'push.example.com' }]);
    expect(violations).toEqual([]);
    const { public_key: key } = await (await context.request.get(`${origin}/v1/me/push-key`)).json();
    expect(await page.evaluate(() => localStorage.getItem('postrider-test.subscribed'))).toBe(key);
    await page.reload();
    await openPreferences();
    await page.getByText('On, until you sign out.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('show what is pushed, with a link, once for each notification and one for each conversation', async () => {
    const worker = await startedWorker();
    // A page that is looked at shows it itself.
    await page.goto('about:blank');
    await push(pushed('first'));
    const path = `/inbox/${conversationId}`;
    const first = { title: NOTIFICATION, tag: conversationId, data: { id: 'first', path } };
    expect(await popups(worker, 'first')).toEqual([first]);
    await push(pushed('first'));
    await push(pushed('second'));
    expect(await popups(worker, 'second')).toEqual([{ ...first, data: { id: 'second', path } }]);
  });

  test('lead to their conversation in a page that is open, without loading it anew', async () => {
    await page.goto(`${origin}/inbox`);
    await page.getByRole('list', { name: 'All open' }).waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(async () => {
      const { registration } = self as unknown as { readonly registration: ServiceWorkerRegistration };
      const [notification] = await registration.getNotifications();
      const Click = (self as unknown as { readonly NotificationEvent: new (type: string, init: object) => Event })
        .NotificationEvent;
      self.dispatchEvent(new Click('notificationclick', { notification }));
    });
    await page.waitForURL(`**/inbox/${conversationId}`);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  });

  test('go on when the push service gives the browser another address', async () => {
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(() => {
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      };
      const toJSON = () => ({ endpoint: 'https://other.example.com/send/browser', keys });
      const { ExtendableEvent: Change } = self as unknown as { readonly ExtendableEvent: new (type: string) => Event };
      self.dispatchEvent(Object.assign(new Change('pushsubscriptionchange'), { newSubscription: { toJSON } }));
    });
    await expect.poll(subscriptions).toMatchObject([{ service: 'other.example.com' }]);
  });

  test('leave pages to the service, and say so when it cannot be reached', async () => {
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).waitFor();
  });

  test('end when the person signs out, in the browser and in the service', async () => {
    const before = await subscriptions();
    expect(before).toHaveLength(1);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
    const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    await expect.poll(workers).toBe(0);
    expect(violations).toEqual([]);
  });
});

test('the console can be installed', async () => {
  const session = await context.newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${origin}/console/app.webmanifest`, []]);
  const manifest = JSON.parse(data ?? '{}');
  expect(manifest).toMatchObject({ id: '/inbox', start_url: '/inbox', scope: '/', display: 'standalone' });
  const purposes = manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`);
  expect(purposes).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']));
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await context.request.get(`${origin}${src}`);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, type]);
    if (type === 'image/png') expect(sizes).toBe(sizeOfPng(await answer.body()));
  }
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A browser without a profile installs nothing; that is all that it has to say.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});

function sizeOfPng(bytes: Buffer): string {
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}
