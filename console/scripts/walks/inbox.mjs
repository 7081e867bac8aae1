// The inbox and everything that opens in it.
const field = (page) => page.getByRole('textbox', { name: /^Reply to/ });

/** Opens every screen as a person would. */
export async function walkInbox(sight) {
  const { page, go, shoot, width } = sight;
  await go('/inbox');
  await page.getByRole('list', { name: 'All open' }).waitFor();
  await page.getByText('Draft:').first().waitFor();
  await shoot('inbox');
  if (width < 1200) await phone(sight);
  await menus(sight);
  await open(page, 'Ada Obi');
  await shoot('thread');
  await compose(sight);
  await panels(sight);
  await back(sight);
  await others(sight);
  await bulk(sight);
  await around(sight);
  await failures(sight);
}

async function phone({ page, shoot }) {
  await page.getByRole('button', { name: 'Show the customer’s phone' }).click();
  const phone = page.getByRole('region', { name: 'Customer’s phone' });
  await phone.waitFor();
  await shoot('phone');
  await phone.getByRole('button', { name: /^Hide/ }).click();
}

async function menus({ page, shoot, width }) {
  if (width < 1200) {
    await page.getByRole('button', { name: 'All open' }).click();
    await page.getByRole('menu').waitFor();
    await shoot('views-menu');
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Owner' }).last().click();
  await page.getByRole('menu').waitFor();
  await shoot('me-menu');
  await page.keyboard.press('Escape');
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
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove notes.html' }).click();
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('textbox', { name: 'When' }).fill('tomorrow 9');
  await shoot('schedule');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Remove ${name}` }).click();
  await field(page).fill('/');
  await page.getByRole('listbox', { name: 'Canned replies' }).waitFor();
  await shoot('canned');
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
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Snooze' }).first().click();
  await page.getByRole('menu').waitFor();
  await shoot('snooze');
  await page.keyboard.press('Escape');
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
  await open(page, 'Ines Kovač');
  await page.getByRole('region', { name: 'Suggested answer' }).waitFor();
  await shoot('suggestion');
  await back(sight);
  await open(page, 'Bartholomew');
  await shoot('long-name');
  await back(sight);
  await open(page, 'مريم حداد');
  await shoot('right-to-left');
  await back(sight);
  await open(page, 'Old Customer');
  await shoot('closed-window');
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByText('What the customer reads').waitFor();
  await shoot('template');
  await page.keyboard.press('Escape');
  await back(sight);
}

/** Many conversations at once: what is selected, how far the change is, and its end. */
async function bulk({ page, shoot, go }) {
  await go('/inbox');
  await page.getByRole('list', { name: 'All open' }).waitFor();
  await command(page, 'Select all in this view');
  await page.getByRole('toolbar').getByText('in this view').waitFor();
  await shoot('bulk');
  await page.getByRole('toolbar').getByRole('button', { name: 'More changes' }).click();
  await page.getByRole('menu').waitFor();
  await shoot('bulk-menu');
  await page.keyboard.press('Escape');
  const isOver = page.waitForResponse(async (answer) => {
    const isOfIt = /\/v1\/bulk-changes\/[\w-]+$/.test(answer.url());
    return isOfIt && (await answer.json()).finished_at !== null;
  });
  await command(page, 'Set priority of the selected: Normal');
  await shoot('bulk-progress');
  await isOver;
  await page.getByText(/^\d+ changed$/).waitFor();
  await shoot('bulk-done');
  await page.getByRole('button', { name: 'Dismiss' }).click();
}

/** What can be opened from everywhere. */
async function around({ page, shoot, go }) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await shoot('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await shoot('help');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await shoot('notifications');
  await page.getByRole('button', { name: 'Notification preferences' }).click();
  await page.getByText('Quiet hours').waitFor();
  await shoot('preferences');
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

/** What is shown when something is not there. */
async function failures({ page, shoot, go }) {
  await go('/inbox/0190a6f2-0000-7000-8000-00000000dead');
  await page.getByText('This conversation is not there').waitFor();
  await shoot('gone');
  await go('/health/nowhere');
  await page.getByText('There is nothing at this address').waitFor();
  await shoot('lost');
  await go('/inbox');
  await open(page, 'Ada Obi');
  await page.context().setOffline(true);
  await field(page).fill('Written on the train');
  await page.keyboard.press('Enter');
  await page.getByText('Waits until you are online').first().waitFor();
  await shoot('offline');
  await page.context().setOffline(false);
  await page.getByText('Waits until you are online').waitFor({ state: 'detached' });
  const isList = (url) => url.pathname === '/v1/conversations';
  await page.route(isList, (route) => route.fulfill({ status: 500, json: { error: 'Away.', code: 'internal' } }));
  await go('/inbox');
  await page.getByText('The list could not be read').waitFor();
  await shoot('list-failed');
  await page.unroute(isList);
  const isMe = (url) => url.pathname === '/v1/me';
  await page.route(isMe, (route) => route.fulfill({ status: 500, json: { error: 'Away.', code: 'internal' } }));
  await go('/inbox');
  await page.getByText('The service does not answer').waitFor();
  await shoot('service-away');
  await page.unroute(isMe);
}

async function command(page, name) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.keyboard.press('Enter');
}

async function open(page, name) {
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name }).first().click();
  await page.getByRole('log', { name: 'Messages' }).waitFor();
}

async function back({ page, width }) {
  if (width < 768) await page.getByRole('button', { name: 'Back to the list' }).click();
}
