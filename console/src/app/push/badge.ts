/** The number on the icon of the installed app, in browsers that have one. */
type Badging = { readonly setAppBadge?: (count: number) => Promise<void> };

/** @param unread 0 takes the number away */
export function showBadge(unread: number): void {
  void (navigator as Badging).setAppBadge?.(unread).catch(() => undefined);
}
