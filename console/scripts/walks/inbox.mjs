// The inbox and everything that opens in it.
import { command, leave, openThread } from './steps.mjs';

const field = (page) => page.getByRole('textbox', { name: /^Reply to/ });

/** Of what the inbox itself is made. */
export async function walkInbox(sight) {
  await openInbox(sight);
  await sight.page.getByText('Draft:').first().waitFor();
  await sight.shoot('inbox');
  await phone(sight);
  await menus(sight);
  await views(sight);
}

/** A conversation, and what an answer can be made of. */
export async function walkComposer(sight) {
  await openInbox(sight);
  await openThread(sight.page, 'Ada Obi');
  await sight.shoot('thread');
  await compose(sight);
}

/** What opens in a conversation, and conversations of other kinds. */
export async function walkThreads(sight) {
  await openInbox(sight);
  await openThread(sight.page, 'Ada Obi');
  await panels(sight);
  await others(sight);
}

/** What can be opened from everywhere. */
export async function walkEverywhere(sight) {
  await openInbox(sight);
  await around(sight);
  await search(sight);
}

async function openInbox({ page, go }) {
  await go('/inbox');
  await page.getByRole('list', { name: 'All open' }).waitFor();
}

async function phone({ page, shoot }) {
  await page.getByRole('button', { name: 'Show the customer’s phone' }).click();
  const phone = page.getByRole('region', { name: 'Customer’s phone' });
  await phone.waitFor();
  await shoot('phone');
  await phone.getByRole('button', { name: /^Hide/ }).click();
  await phone.waitFor({ state: 'detached' });
}

/** Where there is a sidebar, what opens from the header elsewhere stands in it. */
async function menus({ page, shoot, at }) {
  const owner = () => page.getByRole('button', { name: 'Owner' });
  await page.getByRole('button', { name: 'All open' }).click();
  await page.getByRole('menu').waitFor();
  await shoot('views-menu', { widths: [390, 1024] });
  await leave(page);
  await owner().last().click();
  await page.getByRole('menu').waitFor();
  await shoot('me-menu', { widths: [390, 1024] });
  await leave(page);
  await at(1600);
  await owner().first().click();
  await page.getByRole('menu').waitFor();
  await shoot('me-menu', { widths: [1600] });
  await leave(page);
}

/** What a reply can be made of. */
async function compose({ page, shoot, picture }) {
  const name = 'The parcel on the porch.png';
  await page.locator('input[type=file][multiple]').setInputFiles([
    { name, mimeType: 'image/png', buffer: picture },
    { name: 'notes.html', mimeType: 'text/html', buffer: Buffer.from('<p>') },
  ]);
  await field(page).fill('It *left* this morning, and _should_ be there ~today~ tomorrow :ti');
  await shoot('composer');
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('textbox', { name: 'Search emoji' }).waitFor();
  await shoot('emoji');
  await leave(page);
  await page.getByRole('button', { name: 'Remove notes.html' }).click();
  await page.getByRole('button', { name: 'Send later' }).click();
  // Before the end of the 24-hour window, and after it, at whatever time of the day somebody looks.
  await page.getByRole('textbox', { name: 'When' }).fill('in 2 hours');
  await shoot('schedule');
  await page.getByRole('textbox', { name: 'When' }).fill('in 2 days');
  await page.getByText(/24-hour window will be closed/).waitFor();
  await shoot('schedule-late');
  await leave(page);
  await page
    .getByRole('button', { name: `Remove ${name}` })
    .first()
    .click();
  await field(page).fill('/');
  await page.getByRole('listbox', { name: 'Canned replies' }).waitFor();
  await shoot('canned');
  await field(page).fill('/nothing-like-it');
  await page.getByText('No canned reply begins like this.').waitFor();
  await shoot('canned-none');
  await field(page).fill('');
  await page.getByRole('tab', { name: 'Note' }).click();
  await page.getByRole('textbox', { name: /^Note about/ }).fill('@a');
  await page.getByRole('listbox').waitFor();
  await shoot('note');
  await page.getByRole('textbox', { name: /^Note about/ }).fill('');
  await page.getByRole('tab', { name: 'Reply' }).click();
}

/** What opens beside a thread, and over it. */
async function panels({ page, shoot }) {
  const ticks = page.getByRole('button', { name: /Show what happened/ });
  await ticks.last().click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await shoot('trace');
  await leave(page);
  await page.getByRole('button', { name: 'Snooze' }).first().click();
  await page.getByRole('menu').waitFor();
  await shoot('snooze');
  await leave(page);
  await page.getByRole('button', { name: 'Customer details' }).click();
  const details = page.getByRole('complementary', { name: 'Customer details' });
  await details.getByText('Wrote').first().waitFor();
  await shoot('contact');
  await details.getByRole('list').last().getByRole('listitem').last().scrollIntoViewIfNeeded();
  await shoot('timeline');
  await details.getByRole('button', { name: 'Close' }).click();
}

/** Other conversations: what is suggested, another direction, a closed window. */
async function others(sight) {
  const { page, shoot } = sight;
  await openThread(page, 'Ines Kovač');
  await page.getByRole('region', { name: 'Suggested answer' }).waitFor();
  await shoot('suggestion');
  await openThread(page, 'Bartholomew');
  await shoot('long-name');
  await openThread(page, 'مريم حداد');
  await shoot('right-to-left');
  await openThread(page, 'Old Customer');
  await shoot('closed-window');
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByText('What the customer reads').waitFor();
  await shoot('template');
  await leave(page);
}

/** A view that somebody saves. */
async function views({ page, shoot }) {
  await command(page, 'Save a view');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await shoot('save-view');
  await leave(page);
}

/** Many conversations at once: what is selected, and the end of a change. How far it is passes too quickly to be judged. */
export async function walkBulk(sight) {
  const { page, shoot } = sight;
  await openInbox(sight);
  await command(page, 'Select all in this view');
  await page.getByRole('toolbar').getByText('in this view').waitFor();
  await shoot('bulk');
  await page.getByRole('toolbar').getByRole('button', { name: 'More changes' }).click();
  await page.getByRole('menu').waitFor();
  await shoot('bulk-menu');
  await leave(page);
  await command(page, 'Set priority of the selected: Normal');
  await page.getByText(/^\d+ changed$/).waitFor();
  await shoot('bulk-done');
  await page.getByRole('button', { name: 'Dismiss' }).click();
}

async function around({ page, shoot }) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await shoot('palette');
  await leave(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await shoot('help');
  await leave(page);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await shoot('notifications');
  await page.getByRole('button', { name: 'Notification preferences' }).click();
  await page.getByText('Quiet hours').waitFor();
  await shoot('preferences');
  await leave(page);
}

async function search({ page, shoot, go }) {
  await go('/inbox?view=snoozed');
  await page.getByText('Nothing is snoozed').waitFor();
  await shoot('empty-view');
  await go('/search?q=parcel');
  await page.getByRole('region', { name: 'Messages' }).waitFor();
  await shoot('search');
  await go('/search?q=unheardof');
  await page.getByText('Nothing was found').waitFor();
  await shoot('search-nothing');
  await go('/search');
  await page.getByText('What you can search for').waitFor();
  await shoot('search-help');
}
