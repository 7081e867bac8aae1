// How a screen that is open is shown: its width, theme and direction, and whether a finger or a pointer is what hits.

/** The widths that every screen has to fit. The narrowest one is a telephone. */
export const SIZES = [
  { width: 390, height: 844, isTouched: true },
  { width: 1024, height: 768, isTouched: false },
  { width: 1600, height: 900, isTouched: false },
];
/** How a page is shown while a walk opens something. */
export const OPENING = SIZES[1];

const sessions = new WeakMap();

/** Gives the page another width. What depends on the device follows, without the page being loaded anew. */
export async function resize(page, { width, height, isTouched }) {
  if (!sessions.has(page)) sessions.set(page, page.context().newCDPSession(page));
  const session = await sessions.get(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: isTouched });
  await page.setViewportSize({ width, height });
}

/** @param {{ theme?: 'light' | 'dark' | 'system', dir?: 'ltr' | 'rtl' }} look what the document says */
export async function dress(page, { theme = 'system', dir = 'ltr' }) {
  await page.evaluate(
    (look) => {
      document.documentElement.dataset.theme = look.theme;
      document.documentElement.dir = look.dir;
    },
    { theme, dir },
  );
}
