import { type AccountStatus, accountStatus, type LinkStep, type LinkStepName } from '#accounts/domain/linking';
import type { LinkedAccount } from '#accounts/store/linked-accounts';

/** Nothing is loaded and nothing runs: the page is text. Its own address, which holds a code, goes nowhere. */
export const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

const HEADINGS: Readonly<Record<AccountStatus, string>> = {
  linked: 'The account is linked',
  linking: 'The account is being linked',
  incomplete: 'The account is not linked completely',
  failed: 'Nothing was linked',
  replaced: 'A later link took over',
};
const ADVICE: Readonly<Record<AccountStatus, string>> = {
  linked: 'Its numbers can send now. You can close this page.',
  linking: 'You can close this page. The program that you came from shows the progress.',
  incomplete:
    'Completed steps are kept. Go back to the program that you came from and retry the other steps there. You do not need to open the dialog again unless a step says so.',
  failed: 'Go back to the program that you came from and open the dialog again.',
  replaced: 'You can close this page.',
};
const STEPS: Readonly<Record<LinkStepName, string>> = {
  exchange: 'Permission received',
  inspect: 'Permission checked',
  subscribe: 'Customer messages for account',
  numbers: 'Number list of account',
  register: 'Number',
};

/** What the person in the browser sees after the dialog: what happened, and what to do. */
export function linkPage(account: LinkedAccount, nowMs: number): string {
  const status = accountStatus(account, nowMs);
  const steps = account.steps.map(stepLine).join('');
  return page(HEADINGS[status], `<p>${ADVICE[status]}</p><ul>${steps}</ul>`);
}

/** The same for a link that came to nothing. @param sentence public, and ends with what to do */
export function linkFaultPage(sentence: string): string {
  return page('Nothing was linked', `<p>${escapeHtml(sentence)}</p>`);
}

function stepLine({ name, target, state, error }: LinkStep): string {
  const what = target === null ? STEPS[name] : `${STEPS[name]} ${target}`;
  const how = { done: 'done', failed: 'failed', pending: 'not yet' }[state];
  const why = error === null ? '' : ` ${error.message}`;
  return `<li>${escapeHtml(`${what}: ${how}.${why}`)}</li>`;
}

function page(heading: string, content: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${heading}</title>` +
    '<meta name="viewport" content="width=device-width"><style>body{font:1rem/1.5 system-ui,sans-serif;' +
    'max-width:40rem;margin:3rem auto;padding:0 1rem}</style></head>' +
    `<body><h1>${heading}</h1>${content}</body></html>\n`
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
