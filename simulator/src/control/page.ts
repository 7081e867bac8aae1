import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Simulation } from '../simulation.ts';
import type { ControlAnswer } from './answer.ts';

// The page lies beside the source; compiled code finds it from dist/src/control.
const PLACES = ['../page/index.html', '../../../src/page/index.html'];

/** `GET /`: the customers' phones. */
export function getPage(_sim: Simulation): ControlAnswer {
  const file = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (file === undefined) return { status: 404, body: { error: 'The page is not part of this installation.' } };
  return { status: 200, body: readFileSync(file), contentType: 'text/html; charset=utf-8' };
}
