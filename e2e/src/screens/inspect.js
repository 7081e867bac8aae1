/*
 * Judges a page as it is laid out now. This file runs in the page: it is read as text, and leaves `inspect` behind.
 * Each finding is one line that names the element, so that the same finding reads the same everywhere.
 */
globalThis.inspection = (() => {
  const CONTROLS =
    'button, a[href], input:not([type=file]), select, textarea, summary, [role=button], [role=tab], [role=option], [role=menuitem]';
  /** Where a rounded position may differ. */
  const SLACK = 1.5;
  const LINE = 24;
  /** A page that has moved for so many frames will move for ever. */
  const MAX_FRAMES = 300;
  /** A busy page may leave out a frame or two while it lays out what has changed. */
  const STILL_FRAMES = 3;
  const ENDLESS_MS = 60_000;
  /** An ellipsis after less than this is no help. */
  const MIN_SHORTENED = 48;

  const isDrawn = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isIn = (rect, { left, top, right, bottom }) =>
    rect.left >= left - SLACK &&
    rect.right <= right + SLACK &&
    rect.top >= top - SLACK &&
    rect.bottom <= bottom + SLACK;
  const isEmpty = ({ width, height }) => width <= 1 || height <= 1;
  const round = Math.round;

  function nameOf(element) {
    const text = element.getAttribute('aria-label') ?? element.placeholder ?? element.textContent ?? '';
    return `<${element.localName}> “${text.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  }

  /** The ancestors that cut what is in them, the nearest first. */
  function* cutters(element) {
    let { position } = getComputedStyle(element);
    for (let one = element.parentElement; one !== null && position !== 'fixed'; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue;
      if (one === document.body || one === document.documentElement) return;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') yield { one, style };
      position = style.position;
    }
  }

  const scrolls = (value) => value === 'auto' || value === 'scroll';

  /** Whether all of it is before the eyes: not scrolled away, and not cut. */
  function isInView(element, rect) {
    if (!isIn(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return false;
    for (const { one } of cutters(element)) if (!isIn(rect, one.getBoundingClientRect())) return false;
    return true;
  }

  /** Behind a dialog nothing can be reached, and it was judged before. */
  const judged = () => document.querySelector('[role=dialog]') ?? document.body;

  /** Rows far below are like those above. */
  const isNear = ({ top, bottom }) => bottom > -innerHeight && top < 2 * innerHeight;

  const controls = () =>
    [...judged().querySelectorAll(CONTROLS)].filter((one) => {
      const rect = one.getBoundingClientRect();
      return !isEmpty(rect) && isNear(rect) && isDrawn(one);
    });

  /** Each text with the lines that it is drawn in. */
  function texts() {
    const walker = document.createTreeWalker(judged(), NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.data.trim() === '' || element.closest('[aria-hidden=true], option, script, style, noscript, .sr-only'))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((rect) => !isEmpty(rect) && isNear(rect));
      if (lines.length > 0 && isDrawn(element)) found.push({ element, lines });
    }
    return found;
  }

  const cutsSideways = (one) => getComputedStyle(one).overflowX !== 'visible';

  /** The page scrolls sideways, or something stands outside of it where nobody can scroll to. */
  function findOverflow() {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [];
    const drawn = [...controls().map((element) => ({ element, lines: [element.getBoundingClientRect()] })), ...texts()];
    for (const { element, lines } of drawn) {
      const isOutside = lines.some(({ left, right }) => left < -SLACK || right > innerWidth + SLACK);
      if (isOutside && ![element, ...[...cutters(element)].map(({ one }) => one)].some(cutsSideways))
        found.push(`outside the page: ${nameOf(element)}`);
    }
    return found;
  }

  /** How a text is cut by what it stands in: null where it is not, or can be scrolled to, or ends in an ellipsis. */
  function cutOf({ element, lines }) {
    let isShortened = false;
    const own = getComputedStyle(element);
    const first = { one: element, style: own };
    const around = own.display.startsWith('inline') && own.overflowX === 'visible' ? [] : [first];
    for (const { one, style } of [...around, ...cutters(element)]) {
      isShortened ||= style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      const box = one.getBoundingClientRect();
      const sideways = lines.some((line) => line.left < box.left - SLACK || line.right > box.right + SLACK);
      const upright = lines.some((line) => line.top < box.top - 3 || line.bottom > box.bottom + 3);
      if (sideways && style.overflowX !== 'visible') {
        if (scrolls(style.overflowX) && one.scrollWidth > one.clientWidth) return null;
        if (!isShortened) return 'cut at its side';
        if (box.width < MIN_SHORTENED) return `shortened to ${round(box.width)} px`;
        return null;
      }
      if (upright && style.overflowY !== 'visible') {
        if (scrolls(style.overflowY)) return null;
        if (!isShortened) return 'cut at its height';
      }
    }
    return null;
  }

  function findCutTexts() {
    return texts().flatMap((text) => {
      const cut = cutOf(text);
      return cut === null ? [] : [`${cut}: ${nameOf(text.element)}`];
    });
  }

  const isCutIn = (element, control) =>
    [element, ...[...cutters(element)].map(({ one }) => one)].some((one) => control.contains(one) && cutsSideways(one));

  /** Words that run over the edge of the button or the field that they stand in. */
  function findSpilledTexts() {
    const pen = document.createElement('canvas').getContext('2d');
    const spilled = texts().filter(({ element, lines }) => {
      const control = element.closest('button, a, select, th, td, kbd, [role=option], [role=menuitem]');
      if (control === null || getComputedStyle(control).display === 'inline') return false;
      const box = control.getBoundingClientRect();
      return (
        !isCutIn(element, control) &&
        lines.some((line) => line.right > box.right + SLACK || line.left < box.left - SLACK)
      );
    });
    const fields = controls().filter((one) => {
      if (one.localName !== 'input' || !one.placeholder || one.value !== '') return false;
      const style = getComputedStyle(one);
      pen.font = style.font;
      const room = one.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return pen.measureText(one.placeholder).width > room + 1;
    });
    return [
      ...spilled.map(({ element }) => `spills over: ${nameOf(element)}`),
      ...fields.map((one) => `placeholder is cut: ${nameOf(one)}`),
    ];
  }

  /** The part of a line that is not cut away. */
  function visibleOf(element, line) {
    const boxes = [element, ...[...cutters(element)].map(({ one }) => one)].filter(cutsSideways);
    return boxes
      .map((one) => one.getBoundingClientRect())
      .reduce((part, box) => ({ left: Math.max(part.left, box.left), right: Math.min(part.right, box.right) }), line);
  }

  /** What stands in the way of a text, where nothing has been opened above it. */
  function findCoveredTexts() {
    return texts().flatMap(({ element, lines: [line] }) => {
      const { left, right } = visibleOf(element, line);
      if (right - left < 6 || !isInView(element, { left, right, top: line.top, bottom: line.bottom })) return [];
      const control = element.closest(CONTROLS);
      const hitAt = (x) => document.elementFromPoint(x, line.top + line.height / 2);
      const hit = [left + 2, (left + right) / 2, right - 2]
        .map(hitAt)
        .find((one) => one !== null && !one.contains(element) && !element.contains(one));
      if (hit === undefined) return [];
      if (
        control?.contains(hit) ||
        hit.closest('[aria-hidden=true]') ||
        hit.closest('[role=dialog], [role=menu], [role=listbox], [role=presentation], aside, .popup, [data-layer]')
      )
        return [];
      // A backdrop, or something that lies over the page as a whole.
      for (let one = hit; one !== null; one = one.parentElement)
        if (getComputedStyle(one).position === 'fixed') return [];
      return [`covered by ${nameOf(hit)}: ${nameOf(element)}`];
    });
  }

  const isInText = (control) =>
    control.localName === 'a' &&
    getComputedStyle(control).display === 'inline' &&
    control.parentElement.textContent.trim() !== control.textContent.trim();

  /** What a finger or a pointer can hit is smaller than this many pixels in one direction. */
  function findSmallControls(wanted) {
    return controls().flatMap((control) => {
      // A box to tick can be hit by its label.
      const target = (control.matches('[type=checkbox], [type=radio]') && control.closest('label')) || control;
      const box = target.getBoundingClientRect();
      if (isInText(control) || control.disabled || !isInView(target, box)) return [];
      // What stands in a line of text cannot be higher than lines are apart.
      const size = target.closest('p') === null ? wanted : Math.min(wanted, LINE);
      const reach = size / 2 - 1;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const hits = (dx, dy) => target.contains(document.elementFromPoint(x + dx, y + dy));
      if (!hits(0, 0)) return [];
      const isNarrow = box.width < size && !(hits(-reach, 0) && hits(reach, 0));
      const isLow = box.height < size && !(hits(0, -reach) && hits(0, reach));
      if (!isNarrow && !isLow) return [];
      return [`${round(box.width)}×${round(box.height)}, not ${size}: ${nameOf(control)}`];
    });
  }

  /** Where everything stands along the line, in the order of the document. */
  function places() {
    const kinds = `${CONTROLS}, img, svg, h1, h2, h3, li, dt, dd, kbd, time`;
    return [...judged().querySelectorAll(kinds)].map((element) => {
      const rect = element.getBoundingClientRect();
      const { left, right, top, width, height } = rect;
      const isCounted =
        isNear(rect) &&
        width > 1 &&
        height > 1 &&
        isDrawn(element) &&
        element.closest('[dir=ltr], [dir=rtl]:not(html), .sr-only, p') === null;
      return { element, left, right, top, isCounted };
    });
  }

  /** What does not stand where a mirror would show it, compared with the same page read from left to right. */
  function findUnmirrored(before) {
    return places().flatMap(({ element, left, right, top, isCounted }, place) => {
      const was = before[place];
      if (was?.element !== element || !isCounted || !was.isCounted || Math.abs(was.top - top) > SLACK) return [];
      const off = Math.max(Math.abs(innerWidth - was.right - left), Math.abs(innerWidth - was.left - right));
      return off > 2 ? [`not mirrored by ${round(off)} px: ${nameOf(element)}`] : [];
    });
  }

  const look = (element) => {
    const { outlineStyle, outlineWidth, borderColor, backgroundColor, boxShadow } = getComputedStyle(element);
    const outline = outlineStyle === 'none' ? '' : outlineWidth;
    return [outline, borderColor, backgroundColor, boxShadow].join();
  };

  /** Controls that look the same with and without the focus. A key must have been pressed before. */
  function findUnseenFocus() {
    const before = document.activeElement;
    // Those that are dressed the same are marked in the same way.
    const kinds = new Map(
      controls().map((one) => [`${one.localName} ${one.className} ${one.parentElement.className}`, one]),
    );
    const found = [...kinds.values()].filter((control) => {
      if (control.disabled || control.tabIndex < 0 || control === before) return false;
      const around = [
        control,
        control.parentElement,
        control.parentElement?.parentElement,
        control.closest('[class*=focus-within]'),
      ].filter(Boolean);
      before?.blur?.();
      const looks = around.map(look);
      control.focus({ preventScroll: true });
      const isSeen = document.activeElement !== control || around.some((one, place) => look(one) !== looks[place]);
      control.blur();
      return !isSeen;
    });
    before?.focus?.({ preventScroll: true });
    return found.map((control) => `focus is not seen: ${nameOf(control)}`);
  }

  /** Resolves when two frames in a row show the same: whatever follows from a new width has been drawn. */
  async function settle() {
    const picture = () =>
      [...document.querySelectorAll('body *')]
        .map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return `${x},${y},${width},${height}`;
        })
        .join();
    // What a frame has measured is laid out by tasks after it.
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const isShown = (one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    const isLoading = () => [...document.images].some((one) => !one.complete && isShown(one));
    await frame();
    let was = picture();
    let still = 0;
    for (let frames = 0; frames < MAX_FRAMES; frames += 1) {
      await frame();
      for (const one of document.getAnimations()) if (one.effect.getComputedTiming().endTime < ENDLESS_MS) one.finish();
      const is = picture();
      still = is === was && !isLoading() ? still + 1 : 0;
      if (still === STILL_FRAMES) return;
      was = is;
    }
    throw new Error('The page does not come to rest.');
  }

  let remembered = [];
  const LETTERS = [...'אבגדהוזחטיכלמנסעפצקרשתםןץף'];
  let replaced = [];
  /** Puts words of another script, a third longer, in the place of ours; what people wrote stays. */
  function pretend() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (
        !/[a-z]/i.test(node.data) ||
        node.parentElement.closest('[dir=auto], [dir=ltr], option, kbd, code, pre, script, style')
      )
        continue;
      replaced.push({ node, data: node.data });
      const letters = node.data.replace(
        /[a-z]/gi,
        (letter) => LETTERS[(letter.toLowerCase().charCodeAt(0) - 97) % LETTERS.length],
      );
      const longer = letters.replace(/\S+$/, (word) => word + word.slice(0, Math.ceil(node.data.length / 3)));
      node.data = longer;
    }
  }
  function stopPretending() {
    for (const { node, data } of replaced) node.data = data;
    replaced = [];
  }

  const inspect = {
    settle,
    pretend,
    stopPretending,
    remember: () => {
      remembered = places();
    },
    layout: (size) => [
      ...findOverflow(),
      ...findCutTexts(),
      ...findSpilledTexts(),
      ...findCoveredTexts(),
      ...findSmallControls(size),
    ],
    unmirrored: () => findUnmirrored(remembered),
    unseenFocus: findUnseenFocus,
  };
  return () => inspect;
})();
