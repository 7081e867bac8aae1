// What several walks do on their way.

/** Runs a command of the palette by its name. */
export async function command(page, name) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.keyboard.press('Enter');
}

/** Opens the conversation with this customer. */
export async function openThread(page, name) {
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name }).first().click();
  await page.getByRole('log', { name: 'Messages' }).waitFor();
}

/** Closes what has opened over the page, and waits until it is gone: while it closes it stands beside the next one, and gives the focus back. */
export async function leave(page) {
  const opened = page.locator('[role=menu][data-open], [role=dialog][data-open]').last();
  const closing = (await opened.count()) === 0 ? null : await opened.elementHandle();
  await page.keyboard.press('Escape');
  await closing?.waitForElementState('hidden');
}
