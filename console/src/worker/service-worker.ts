/**
 * Works while no page is open: shows what is pushed, opens what somebody clicks on, and says so when a page cannot be
 * loaded. It keeps nothing: pages and data always come from the service.
 */
import type { PushKey } from '@postrider/sdk';
import { type PopupData, type Pushed, popupOf, showPopup } from '../app/push/popup.ts';
import { t } from '../locales/text.ts';

const worker = self as unknown as ServiceWorkerGlobalScope;
const SUBSCRIPTIONS = '/v1/me/push-subscriptions';
const HEADERS = { 'content-type': 'application/json', 'postrider-client': 'console' };

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(begin()));
worker.addEventListener('push', (event) => event.waitUntil(show(event.data)));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as PopupData | null)?.path ?? '/inbox'));
});
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event as SubscriptionChange)));
worker.addEventListener('fetch', (event) => {
  // The browser itself asks for all else, as without a worker.
  if (event.request.mode === 'navigate') event.respondWith(load(event));
});

async function begin(): Promise<void> {
  // Pages do not wait for this worker to start.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

async function show(data: PushMessageData | null): Promise<void> {
  const pushed = data?.json() as Pushed | undefined;
  if (pushed === undefined) return;
  const { setAppBadge } = worker.navigator as { readonly setAppBadge?: (count: number) => Promise<void> };
  await setAppBadge?.call(worker.navigator, pushed.unread).catch(() => undefined);
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // Whoever looks at a page sees it there.
  if (pages.some(({ focused }) => focused)) return;
  await showPopup(worker.registration, popupOf(pushed));
}

/** In a page that is open, which goes there without loading anew; else in a new one. */
async function open(path: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ focused }) => focused) ?? pages[0];
  if (page === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  page.postMessage({ open: path });
  await page.focus();
}

interface SubscriptionChange extends ExtendableEvent {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}

/** The push service has replaced the subscription, or asks to. */
async function renew({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  const subscription = newSubscription ?? (await subscribe(oldSubscription?.options.applicationServerKey ?? null));
  const { endpoint, keys } = subscription.toJSON();
  await fetch(SUBSCRIPTIONS, { method: 'PUT', headers: HEADERS, body: JSON.stringify({ endpoint, keys }) });
}

async function subscribe(known: ArrayBuffer | null): Promise<PushSubscription> {
  const applicationServerKey = known ?? (await readKey());
  return worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function readKey(): Promise<string> {
  const answer = await fetch('/v1/me/push-key', { headers: HEADERS });
  return ((await answer.json()) as PushKey).public_key;
}

async function load(event: FetchEvent): Promise<Response> {
  try {
    return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
  } catch {
    return offlinePage();
  }
}

const OFFLINE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

function offlinePage(): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><title>${t('app.name')}</title>
<h1>${t('push.offline')}</h1><p>${t('push.offlineBody')}</p><p><a href="">${t('action.tryAgain')}</a></p></html>`;
  return new Response(html, { status: 503, headers: OFFLINE_HEADERS });
}
