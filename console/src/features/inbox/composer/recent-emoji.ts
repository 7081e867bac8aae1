/** The emoji that were used last in this browser, the newest first. */
const KEY = 'postrider.emoji';
const MOST = 32;

export function recentEmoji(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly string[];
  } catch {
    return [];
  }
}

export function rememberEmoji(sign: string): void {
  try {
    const others = recentEmoji().filter((one) => one !== sign);
    localStorage.setItem(KEY, JSON.stringify([sign, ...others].slice(0, MOST)));
  } catch {
    // A browser that stores nothing has no recent ones.
  }
}
