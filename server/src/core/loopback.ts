/** Whether an address leads to this very machine, by its name alone: nothing is looked up. */
export function isLoopbackUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
