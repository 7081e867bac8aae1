// The pages of the account, the team and single sign-on.
import { leave } from './steps.mjs';

/** Who somebody is, and how they sign in. */
export async function walkAccount({ page, go, shoot }) {
  await go('/account');
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  await shoot('account');
  await page.getByRole('heading', { name: 'Where you are signed in' }).scrollIntoViewIfNeeded();
  await shoot('sessions');
}

/** A long list of people, one of them, somebody new, and teams. */
export async function walkTeam(sight) {
  await people(sight);
  await teams(sight);
}

async function people({ page, go, shoot }) {
  await go('/settings/team');
  await page.getByRole('list', { name: 'Team', exact: true }).waitFor();
  await shoot('team');
  await page.getByRole('button', { name: 'Show 50 more' }).scrollIntoViewIfNeeded();
  await shoot('team-more');
  const find = page.getByRole('searchbox', { name: 'Find by name or email address' });
  await find.fill('featherstone');
  await page.getByText('1 person found').waitFor();
  await shoot('team-found');
  await find.fill('nobody of this name');
  await page.getByText('Nobody is called that').waitFor();
  await shoot('team-nobody');
  await find.fill('');
  await page.getByRole('combobox', { name: 'Who is shown' }).selectOption('invited');
  await page.getByRole('list', { name: 'Team', exact: true }).getByText('Amara Okafor').waitFor();
  await shoot('team-invited');
  await page.getByRole('combobox', { name: 'Who is shown' }).selectOption('all');
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Details' }).waitFor();
  await shoot('team-actions');
  await page.getByRole('menuitem', { name: 'Details' }).click();
  await page.getByRole('dialog').waitFor();
  await shoot('team-person');
  await leave(page);
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByRole('dialog').waitFor();
  await shoot('team-add');
  await leave(page);
  await page
    .getByRole('button', { name: /^Actions: / })
    .nth(1)
    .click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').waitFor();
  await shoot('team-remove');
  await leave(page);
}

/** Who is invited, and teams. */
async function teams({ page, shoot }) {
  await page.getByRole('heading', { name: 'Teams' }).scrollIntoViewIfNeeded();
  await shoot('teams');
  await page
    .getByRole('button', { name: /^Edit: / })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('searchbox').waitFor();
  await shoot('team-edit');
  await leave(page);
  await page
    .getByRole('button', { name: /^New link/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Invitation link' }).waitFor();
  await shoot('invitation');
  await leave(page);
}

/** How single sign-on is set up. */
export async function walkSingleSignOn({ page, go, shoot }) {
  await go('/settings/sso');
  await page.getByRole('button', { name: 'Add a group' }).click();
  await page.getByLabel('Single sign-on is the only way in').check();
  await shoot('single-sign-on');
}
