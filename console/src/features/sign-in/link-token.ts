/** The token of a link stands behind its `#`. Null: there is none. */
export function tokenIn(text: string): string | null {
  return new URLSearchParams(text.split('#').at(-1) ?? '').get('token');
}

/** Browsers send the fragment to nobody; it is taken out of the address and its history at once. */
export function takeToken(): string | null {
  const token = tokenIn(location.hash);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}
