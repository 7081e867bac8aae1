/** Whether this browser is sent notifications while no page is open: its service worker, its subscription, and what the service knows of it. */
import type { PushKey } from '@postrider/sdk';
import { call } from '../api.ts';

/** `unsupported`: the browser cannot; `denied`: notifications are blocked, which only the settings of the browser can change. */
export type DeviceState = 'unsupported' | 'denied' | 'off' | 'on';

const WORKER = '/console/sw.js';
const SCOPE = '/';
/** The person who turned it on in this browser: the next one to sign in must turn it on for themselves. */
const OWNER = 'postrider.push';
const SUBSCRIPTIONS = '/v1/me/push-subscriptions';
const CURRENT = `${SUBSCRIPTIONS}/current`;

function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * What is true of this browser. A subscription of this person is stored for their session, which is another one after they
 * switched to another tenant; one that somebody else left is removed.
 * @throws PostriderError when the service could not be asked
 */
export async function readDevice(userId: string): Promise<DeviceState> {
  if (!canPush()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await findSubscription();
  if (subscription === null || Notification.permission !== 'granted') return 'off';
  if (localStorage.getItem(OWNER) !== userId) {
    await forgetDevice();
    return 'off';
  }
  await store(subscription);
  return 'on';
}

/**
 * Turns it on. Browsers ask the person, which they do only after a click.
 * @throws PostriderError, DOMException when the push service of the browser does not answer
 */
export async function turnDeviceOn(userId: string): Promise<DeviceState> {
  if (!canPush()) return 'unsupported';
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const { public_key: key } = await call<PushKey>('/v1/me/push-key');
  await navigator.serviceWorker.register(workerUrl(), { scope: SCOPE, updateViaCache: 'none' });
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made for another key takes no pushes of this service.
  await (await pushManager.getSubscription())?.unsubscribe();
  await store(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  localStorage.setItem(OWNER, userId);
  return 'on';
}

/** @throws PostriderError */
export async function turnDeviceOff(): Promise<DeviceState> {
  await forgetDevice();
  // It may be gone already.
  await call(CURRENT, { method: 'DELETE' }).catch((error: { readonly status?: unknown }) => {
    if (error.status !== 404) throw error;
  });
  return 'off';
}

/** Removes the worker from this browser, and its subscription with it. The service learns it with the next push, or because the session ends. */
export async function forgetDevice(): Promise<void> {
  localStorage.removeItem(OWNER);
  if (!('serviceWorker' in navigator)) return;
  await (await navigator.serviceWorker.getRegistration(SCOPE))?.unregister();
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await call(SUBSCRIPTIONS, { method: 'PUT', body: { endpoint, keys } });
}

interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown };
}

let trusted: string | null = null;

/** The policy of the page lets one script become a worker, whatever is asked for. */
function workerUrl(): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  trusted ??= (trustedTypes
    ?.createPolicy('postrider-worker', { createScriptURL: () => WORKER })
    .createScriptURL(WORKER) ?? WORKER) as string;
  return trusted;
}
