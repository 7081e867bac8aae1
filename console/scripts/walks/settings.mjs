// The pages of the account, the team and single sign-on.

/** Opens each page, and what opens in it. */
export async function walkSettings({ page, go, shoot }) {
  await go('/account');
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  await shoot('account');
  await page.getByRole('heading', { name: 'Where you are signed in' }).scrollIntoViewIfNeeded();
  await shoot('sessions');
  await go('/settings/team');
  await page.getByRole('list', { name: 'Team', exact: true }).waitFor();
  await shoot('team');
  await page.getByRole('heading', { name: 'Teams' }).scrollIntoViewIfNeeded();
  await shoot('teams');
  await page
    .getByRole('button', { name: /^Details: / })
    .first()
    .scrollIntoViewIfNeeded();
  await page
    .getByRole('button', { name: /^Details: / })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await shoot('team-person');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByRole('dialog').waitFor();
  await shoot('team-add');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^New link/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Invitation link' }).waitFor();
  await shoot('invitation');
  await page.keyboard.press('Escape');
  await go('/settings/sso');
  await page.getByRole('button', { name: 'Add a group' }).click();
  await page.getByLabel('Single sign-on is the only way in').check();
  await shoot('single-sign-on');
}
