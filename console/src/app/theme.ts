export type Theme = 'light' | 'dark' | 'system';

const YEAR_S = 365 * 86_400;

/** Shows the page in this theme, and has the server write it into the page from now on: no flash at the next start. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing where a page is served over plain HTTP.
  document.cookie = `postrider_theme=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}
