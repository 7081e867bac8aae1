import type { APIResponse, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenConsole, openConsole } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* The page of the team: who is invited, where people are signed in, what they take on, and their teams. */
const PERSON = 'Bela Costa';
const HEADERS = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };

let opened: OpenConsole;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  opened = await openConsole();
  ({ page } = opened);
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(new URL('/settings/team', opened.link).href);
  await people().waitFor();
});
afterAll(() => opened?.close());

const people = () => page.getByRole('list', { name: 'Team', exact: true });
const invitations = () => page.getByRole('list', { name: 'Invitations' });
const dialog = () => page.getByRole('dialog');
const act = async (action: string) => {
  await people()
    .getByRole('button', { name: `Actions: ${PERSON}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
};

/** A person with a browser of their own who opened a link. */
async function opens(link: string): Promise<Page> {
  const context = await opened.browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const theirs = await context.newPage();
  await theirs.goto(link);
  return theirs;
}

const shownLink = async () => {
  const link = await dialog().getByRole('textbox', { name: 'Invitation link' }).inputValue();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  return link;
};

test('an invitation stands in the list until it is used, and says that no email was sent', async () => {
  await page.getByRole('button', { name: 'Add a person' }).click();
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill(PERSON);
  await dialog().getByRole('textbox', { name: 'Email address' }).fill('bela@shop.example');
  await dialog().getByRole('button', { name: 'Add and invite' }).click();
  await dialog().getByText('This installation has no mail server.').waitFor();
  const first = await shownLink();
  await invitations()
    .getByText(/Agent · works until/)
    .waitFor();
  await invitations()
    .getByRole('button', { name: `New link: ${PERSON}` })
    .click();
  const second = await shownLink();
  expect(second).not.toBe(first);
  const late = await opens(first);
  await late.getByText('This link no longer works').waitFor();
  await late.context().close();
});

test('a withdrawn invitation is gone, and its link works no longer', async () => {
  await invitations()
    .getByRole('button', { name: `New link: ${PERSON}` })
    .click();
  const link = await shownLink();
  await invitations()
    .getByRole('button', { name: `Withdraw: ${PERSON}` })
    .click();
  await invitations().waitFor({ state: 'detached' });
  const late = await opens(link);
  await late.getByText('This link no longer works').waitFor();
  await late.context().close();
});

test('somebody who is signed in is seen, and signed out, in the page of another', async () => {
  await act('Invite');
  const theirs = await opens(await shownLink());
  await theirs.waitForURL('**/inbox');
  await page.reload();
  await act('Details');
  await dialog()
    .getByRole('button', { name: new RegExp(`^Sign out: ${PERSON}`) })
    .click();
  await dialog().getByText('Not signed in here at present.').waitFor();
  await theirs.waitForURL('**/sign-in');
  await theirs.context().close();
});

test('how much somebody takes on is changed, and stays', async () => {
  await dialog().getByLabel('Conversations at the same time').fill('3');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('Saved.').waitFor();
  await page.keyboard.press('Escape');
  await people()
    .getByText(/0 of 3 conversations/)
    .waitFor();
});

test('an agent as whom nobody signs in is marked', async () => {
  const answer = await post('/v1/agents', { name: 'Night program' });
  expect(answer.status()).toBe(201);
  await page.reload();
  const row = people().getByRole('listitem').filter({ hasText: 'Night program' });
  await row.getByText('No sign-in').waitFor();
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Details' }).click();
  await dialog().getByText('Nobody signs in as this agent.').waitFor();
  await page.keyboard.press('Escape');
});

const post = (path: string, data: object): Promise<APIResponse> =>
  opened.context.request.post(new URL(path, opened.link).href, { headers: HEADERS, data });

const teams = () => page.getByRole('list', { name: 'Teams' });

test('a team is made by a command, gets members and another name', async () => {
  await page.keyboard.press('Control+k');
  await dialog().getByRole('combobox').fill('Add a team');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name of the new team' }).fill('Night shift');
  await page.keyboard.press('Enter');
  await teams().getByRole('button', { name: 'Edit: Night shift' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Late shift');
  await dialog().getByLabel(PERSON).check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await teams().getByRole('listitem').filter({ hasText: 'Late shift' }).getByText('1 member').waitFor();
  await people()
    .getByRole('listitem')
    .filter({ hasText: PERSON })
    .getByText(/Late shift/)
    .waitFor();
});

test('a team that somebody else has changed meanwhile is not overwritten', async () => {
  await teams().getByRole('button', { name: 'Edit: Late shift' }).click();
  const list = await opened.context.request.get(new URL('/v1/teams', opened.link).href);
  const { data } = await list.json();
  const { id } = data.find(({ name }: { readonly name: string }) => name === 'Late shift');
  const path = new URL(`/v1/teams/${id}`, opened.link).href;
  expect((await opened.context.request.patch(path, { headers: HEADERS, data: { members: [] } })).status()).toBe(200);
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Third shift');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await teams().getByRole('listitem').filter({ hasText: 'Late shift' }).getByText('0 members').waitFor();
});

test('a deleted team is gone, after it was said what stays', async () => {
  await teams().getByRole('button', { name: 'Edit: Late shift' }).click();
  await dialog().getByRole('button', { name: 'Delete team' }).click();
  await dialog()
    .getByText(/Its members stay/)
    .waitFor();
  await dialog().getByRole('button', { name: 'Delete it now' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('Late shift').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
