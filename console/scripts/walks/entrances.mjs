// The ways in, in a browser where nobody is signed in.
import { EMAIL, PASSWORD } from '../fill-team.mjs';
import { OPENING } from './show.mjs';

/** Signs in in every way as far as it has a screen. */
export async function walkEntrances({ browser, service, shoot: shootOf }) {
  const context = await browser.newContext({ viewport: OPENING, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const shoot = (name) => shootOf(name, { of: page });
  const go = (path) => page.goto(new URL(path, service.base).href);
  const email = page.getByRole('textbox', { name: 'Email' });
  await go('/sign-in');
  await email.waitFor();
  await shoot('sign-in');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Send the link' }).waitFor();
  await shoot('forgotten-password');
  await go('/sign-in?sso=0190a6f2-0000-7000-8000-00000000dead&sso_problem=unknown');
  await page.getByRole('button', { name: 'Single sign-on' }).waitFor();
  await shoot('sign-in-sso');
  await go('/sign-in');
  await email.fill('nobody@shop.example');
  await page.getByLabel('Password', { exact: true }).fill('seven loud lanterns');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('is wrong').waitFor();
  await shoot('sign-in-wrong');
  await email.fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('One more step').waitFor();
  await shoot('sign-in-code');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).waitFor();
  await shoot('sign-in-recovery');
  await page.goto('about:blank');
  await page.goto(service.link);
  await page.getByRole('alert').waitFor();
  await shoot('used-link');
  await context.close();
}
