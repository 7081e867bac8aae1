/** Whether a host leads to this very machine, by its name alone: no lookup is made. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether an address leads to this very machine, by its name alone: no lookup is made. */
export function isLoopbackUrl(address: string): boolean {
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname.replace(/^\[|\]$/g, ''));
}
