// What somebody sees who has just begun.
import { leave } from './steps.mjs';

/** Opens each screen while there is nothing in it. */
export async function walkEmpty({ page, go, shoot }) {
  await go('/inbox');
  await page.getByText('No open conversations').waitFor();
  await shoot('empty-inbox');
  await page.getByRole('button', { name: 'Show the customer’s phone' }).click();
  const phone = page.getByRole('region', { name: 'Customer’s phone' });
  await phone.waitFor();
  await shoot('empty-phone');
  await phone.getByRole('button', { name: /^Hide/ }).click();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByText('No notifications', { exact: true }).waitFor();
  await shoot('empty-notifications');
  await leave(page);
  await go('/settings/team');
  await page.getByRole('list', { name: 'Team', exact: true }).waitFor();
  await shoot('empty-team');
  await go('/account');
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  await shoot('empty-account');
}
