/** `/c/pay/{session}`: the page on which a customer pays, has the card refused, or leaves. */
import type { ServerResponse } from 'node:http';
import { escapeHtml, htmlPage } from '../html.ts';
import type { Simulation } from '../simulation.ts';
import { findCheckout, payCheckout, refusePayment } from './checkout.ts';
import type { GatewayObject } from './gateway.ts';
import { GatewayFault } from './gateway-fault.ts';
import type { GatewayCall } from './routes.ts';

export const PAY_PATH = '/c/pay/';

/** GET shows what is to be paid; POST is the click. */
export function handlePayPage(sim: Simulation, { request, response, url, text }: GatewayCall): void {
  const session = openSession(sim, url);
  if (session === null) {
    show(response, 404, htmlPage('This page has ended', '<p>The payment was made, has expired, or never was.</p>'));
    return;
  }
  const decision = request.method === 'POST' ? new URLSearchParams(text).get('decision') : null;
  if (decision === 'pay') {
    payCheckout(sim, session);
    redirect(response, String(session.success_url).replaceAll('{CHECKOUT_SESSION_ID}', session.id));
  } else if (decision === 'abandon' && session.cancel_url !== null) {
    redirect(response, String(session.cancel_url));
  } else {
    if (decision === 'fail') refusePayment(sim, session);
    show(response, 200, payPage(session, decision));
  }
}

function openSession(sim: Simulation, url: string): GatewayObject | null {
  const id = url.slice(PAY_PATH.length).split('?', 1)[0] ?? '';
  try {
    const session = findCheckout(sim, id);
    return session.status === 'open' ? session : null;
  } catch (error) {
    if (error instanceof GatewayFault) return null;
    throw error;
  }
}

function payPage(session: GatewayObject, decision: string | null): string {
  const lines = (session.line_items as readonly GatewayObject[]).map(
    (line) =>
      `<p class="soft">${escapeHtml(String(line.quantity))} × ${escapeHtml(String(line.description ?? 'Item'))}</p>`,
  );
  const notes: Readonly<Record<string, string>> = {
    fail: '<p role="alert"><b>The card was declined.</b> Try again.</p>',
    abandon: '<p role="alert">You can close this page; the payment stays open until it expires.</p>',
  };
  const note = decision === null ? '' : (notes[decision] ?? '');
  return htmlPage(
    session.mode === 'subscription' ? 'Subscribe' : 'Pay',
    `<p class="soft">Simulated payment gateway: no money moves.</p>` +
      `<p class="amount">${escapeHtml(amountText(session))}</p>${lines.join('')}${note}` +
      `<form method="post"><div class="buttons"><button class="main" name="decision" value="pay">Pay</button>` +
      `<button name="decision" value="fail">Let the card be declined</button>` +
      `<button name="decision" value="abandon">Go back without paying</button></div></form>`,
  );
}

function amountText(session: GatewayObject): string {
  const currency = String(session.currency).toUpperCase();
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  // Currencies differ in how many digits their smallest unit has.
  return format.format(Number(session.amount_total) / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' });
  response.end();
}

function show(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(html);
}
