/** A request's address on the network: `/{version}/{object}/{edge}`, the version optional. */
export type GraphPath = {
  readonly objectId: string;
  readonly edge: string;
  /** Without the question mark. */
  readonly query: string;
};

const VERSION = /^v[0-9]+\.[0-9]+$/;
const LOOKS_LIKE_VERSION = /^v[0-9]/;

/** The parts of the address, or null when its version is malformed. Old and unknown versions are taken as the oldest. */
export function parseGraphPath(url: string): GraphPath | null {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const segments = path.split('/');
  const first = segments[1] ?? '';
  if (LOOKS_LIKE_VERSION.test(first) && !VERSION.test(first)) return null;
  const start = VERSION.test(first) ? 2 : 1;
  return { objectId: segments[start] ?? '', edge: segments.slice(start + 1).join('/'), query };
}

/** True for a phone number id: digits only. */
export function isNumericId(id: string): boolean {
  return /^[0-9]{1,32}$/.test(id);
}
