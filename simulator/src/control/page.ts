import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Simulation } from '../simulation.ts';
import type { ControlAnswer, ControlCall } from './answer.ts';

// The page lies beside the source; compiled code finds it from dist/src/control.
const PLACES = ['../page/', '../../../src/page/'];
/** The files of the page by their addresses. */
const FILES: Readonly<Record<string, { readonly name: string; readonly contentType: string }>> = {
  '/': { name: 'index.html', contentType: 'text/html; charset=utf-8' },
  '/_sim/page/phones.css': { name: 'phones.css', contentType: 'text/css; charset=utf-8' },
  '/_sim/page/phones.js': { name: 'phones.js', contentType: 'text/javascript; charset=utf-8' },
  '/_sim/page/thread.js': { name: 'thread.js', contentType: 'text/javascript; charset=utf-8' },
  '/_sim/page/words.js': { name: 'words.js', contentType: 'text/javascript; charset=utf-8' },
};

/** What is asked for to show the page. */
export const pageRoutes = Object.fromEntries(Object.keys(FILES).map((path) => [`GET ${path}`, getPage]));

/** `GET /`: the customers' phones. */
function getPage(_sim: Simulation, { url }: ControlCall): ControlAnswer {
  const file = FILES[url.split('?', 1)[0] ?? '/'];
  const places = PLACES.map((place) => fileURLToPath(new URL(`${place}${file?.name}`, import.meta.url)));
  const path = places.find((place) => existsSync(place));
  if (file === undefined || path === undefined)
    return { status: 404, body: { error: 'The page is not part of this installation.' } };
  return { status: 200, body: readFileSync(path), contentType: file.contentType };
}
