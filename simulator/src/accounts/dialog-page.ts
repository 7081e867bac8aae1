import { escapeHtml, htmlPage } from '../html.ts';
import type { DialogWish } from './dialog.ts';

type Account = { readonly wabaId: string; readonly numbers: readonly string[] };

/** The page of the dialog; `query` leads back to it with everything that the app asked. */
export function dialogPage(wish: DialogWish, query: string, accounts: readonly Account[]): string {
  const choices = accounts.map((account, i) => choice(account.wabaId, describe(account), i === 0)).join('');
  const fresh = choice('new', 'A new account with a number of its own', accounts.length === 0);
  return htmlPage(
    'Link a business account',
    `<p class="soft">Simulated messaging network: nothing here is real.</p>` +
      `<p>App <b>${escapeHtml(wish.appId)}</b> wants to send messages and to manage templates and numbers for you. ` +
      `You will be led back to <span class="soft">${escapeHtml(wish.redirectUri)}</span>.</p>` +
      `<form method="post" action="?${escapeHtml(query)}">` +
      `<fieldset><legend>Account</legend>${choices}${fresh}</fieldset>` +
      `<label class="text">Name of a new account<input type="text" name="name" value="Example Shop" maxlength="60"></label>` +
      `<label class="text">Number of a new account, may stay empty<input type="text" name="phone" inputmode="tel" maxlength="20"></label>` +
      `<div class="buttons"><button class="main" name="decision" value="continue">Continue</button>` +
      `<button name="decision" value="cancel">Cancel</button></div></form>`,
  );
}

/** What is wrong with the address that led here. */
export function faultPage(sentence: string): string {
  return htmlPage('This link does not work', `<p>${escapeHtml(sentence)}</p>`);
}

function choice(value: string, label: string, checked: boolean): string {
  const mark = checked ? ' checked' : '';
  return `<label><input type="radio" name="waba_id" value="${escapeHtml(value)}"${mark}>${escapeHtml(label)}</label>`;
}

function describe({ wabaId, numbers }: Account): string {
  return `${wabaId}: ${numbers.map((number) => `+${number}`).join(', ')}`;
}
