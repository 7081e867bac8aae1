/** `/{version}/dialog/oauth`: the page on which a person lets an app use an account, and the target of the answer. */
import type { ServerResponse } from 'node:http';
import type { GraphCall } from '../graph/call.ts';
import { isWebAddress } from '../send/payloads/text.ts';
import type { Simulation } from '../simulation.ts';
import { dialogPage, faultPage } from './dialog-page.ts';

const NEW_ACCOUNT = 'new';

/** What the app asks for. */
export type DialogWish = {
  readonly appId: string;
  readonly redirectUri: string;
  readonly state: string | null;
};

/** GET shows the page; POST is the click on it and leads back to the app. */
export function handleDialog(sim: Simulation, call: GraphCall): void {
  const { request, response, path, text } = call;
  const query = new URLSearchParams(path.query);
  const wish = readWish(sim, query);
  if (typeof wish === 'string') showPage(response, 400, faultPage(wish));
  else if (request.method === 'POST') redirect(response, decide(sim, wish, new URLSearchParams(text)));
  else showPage(response, 200, dialogPage(wish, path.query, accountsOf(sim)));
}

/** The wish, or the sentence that says what is wrong with it. */
function readWish(sim: Simulation, query: URLSearchParams): DialogWish | string {
  const appId = query.get('client_id') ?? '';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!/^\d{1,32}$/.test(appId)) return 'client_id must be the id of an app.';
  if (sim.settings.appId !== null && sim.settings.appId !== appId) return `There is no app ${appId}.`;
  if (!isWebAddress(redirectUri)) return 'redirect_uri must be an http or https address.';
  if ((query.get('response_type') ?? 'code') !== 'code') return 'response_type must be code.';
  return { appId, redirectUri, state: query.get('state') };
}

type Account = { readonly wabaId: string; readonly numbers: readonly string[] };

function accountsOf(sim: Simulation): readonly Account[] {
  const accounts = new Map<string, string[]>();
  for (const { wabaId, displayPhoneNumber } of sim.numbers.list()) {
    accounts.set(wabaId, [...(accounts.get(wabaId) ?? []), displayPhoneNumber]);
  }
  return [...accounts].map(([wabaId, numbers]) => ({ wabaId, numbers }));
}

/** Where the person's decision leads. */
function decide(sim: Simulation, wish: DialogWish, form: URLSearchParams): string {
  const target = new URL(wish.redirectUri);
  if (form.get('decision') === 'continue') {
    const expiresAtMs = sim.clock.now() + sim.settings.oauthCodeSeconds * 1000;
    const wabaIds = [chosenAccount(sim, form)];
    const grant = sim.accounts.grant({ appId: wish.appId, redirectUri: wish.redirectUri, wabaIds, expiresAtMs });
    target.searchParams.set('code', grant.code);
  } else {
    target.searchParams.set('error', 'access_denied');
    target.searchParams.set('error_code', '200');
    target.searchParams.set('error_description', 'Permissions error');
    target.searchParams.set('error_reason', 'user_denied');
  }
  if (wish.state !== null) target.searchParams.set('state', wish.state);
  return target.href;
}

/** An account that is there, or a new one with one number that is not registered yet. */
function chosenAccount(sim: Simulation, form: URLSearchParams): string {
  const wabaId = form.get('waba_id') ?? NEW_ACCOUNT;
  if (wabaId !== NEW_ACCOUNT) return wabaId;
  const digits = (form.get('phone') ?? '').replace(/\D/g, '');
  const id = sim.ids.mediaId();
  const number = sim.numbers.register({
    phoneNumberId: sim.ids.mediaId(),
    wabaId: id,
    ...(digits === '' ? {} : { displayPhoneNumber: digits }),
  });
  number.registered = false;
  sim.accounts.describe(number.phoneNumberId, { verifiedName: form.get('name') || 'Example Shop' });
  sim.accounts.silence(id);
  return id;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location, 'Cache-Control': 'no-store' });
  response.end();
}

function showPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(html);
}
