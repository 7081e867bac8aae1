// What is shown when something is not there, or does not answer.
import { openThread } from './steps.mjs';

/** Takes away what the screens live on, one thing after the other. */
export async function walkFailures(sight) {
  const { page, go, shoot } = sight;
  await go('/inbox/0190a6f2-0000-7000-8000-00000000dead');
  await page.getByText('This conversation is not there').waitFor();
  await shoot('gone');
  await go('/health/nowhere');
  await page.getByText('There is nothing at this address').waitFor();
  await shoot('lost');
  await offline(sight);
  await refused(sight);
}

/** What was written without a line waits in the thread, and says so. */
async function offline({ page, go, shoot }) {
  await go('/inbox');
  await openThread(page, 'Ada Obi');
  await page.context().setOffline(true);
  await page.getByRole('textbox', { name: /^Reply to/ }).fill('Written on the train');
  await page.keyboard.press('Enter');
  const waits = page.getByText('Waits until you are online');
  await waits.waitFor();
  await shoot('offline');
  await page.context().setOffline(false);
  await waits.waitFor({ state: 'detached' });
}

/** Each thing that a screen is made of is refused by the service, and the screen says so. */
async function refused({ page, load, shoot }) {
  const without = async (pathname, path, text, name) => {
    const isIt = (url) => url.pathname === pathname;
    await page.route(isIt, (route) => route.fulfill({ status: 500, json: { error: 'Away.', code: 'internal' } }));
    await load(path);
    await page.getByText(text).waitFor();
    await shoot(name);
    await page.unroute(isIt);
  };
  await without('/v1/conversations', '/inbox', 'The list could not be read', 'list-failed');
  await without('/v1/agents', '/settings/team', 'The team could not be read', 'team-failed');
  await without('/v1/me', '/inbox', 'The service does not answer', 'service-away');
}
