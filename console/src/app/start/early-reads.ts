/**
 * What the inbox reads first, and how the program takes it over from the script that asks for it (`early-start.ts`). Both
 * scripts contain this file: it imports nothing, and what was asked for lies where both find it.
 */

/** The views that are always there. */
export const VIEW_NAMES = ['open', 'mine', 'unassigned', 'waiting', 'snoozed', 'resolved'] as const;
export type BuiltInName = (typeof VIEW_NAMES)[number];

/** Conversations of one page of a list. */
export const ROWS = 50;
export const ME = '/v1/me';

export const STREAM = '/v1/events/stream?signals=true';
const LIST = '/v1/conversations?';

interface ViewQuery {
  readonly sort: 'last_activity' | 'waiting_since';
  readonly query: Readonly<Record<string, string>>;
}

/** The address of the first page of a list. */
export function listPath({ query, sort }: ViewQuery): string {
  return `${LIST}${new URLSearchParams({ ...query, sort, limit: String(ROWS) })}`;
}

/** How the API is asked for the views that are always there. @param meId the agent who looks; null: nobody */
export function viewQuery(name: BuiltInName, meId: string | null): ViewQuery {
  const open = { status: 'open' };
  const sort = 'last_activity';
  switch (name) {
    case 'open':
      return { sort, query: open };
    case 'mine':
      return { sort, query: { ...open, assignee: meId ?? 'none' } };
    case 'unassigned':
      return { sort, query: { ...open, assignee: 'none' } };
    case 'waiting':
      return { sort: 'waiting_since', query: { ...open, waiting: 'true' } };
    case 'snoozed':
    case 'resolved':
      return { sort, query: { status: name } };
  }
}

/** What the program has not asked for so long after its first request, it does not need. */
const DROP_MS = 60_000;

interface EarlyRequest {
  readonly answer: Promise<Response>;
  readonly end: AbortController;
}

interface EarlyReads {
  /** What was asked for and the program has not asked for yet, by its path. */
  readonly asked: Map<string, EarlyRequest>;
  /** Whether the program needs no more of them. */
  isOver: boolean;
}

declare global {
  var postriderEarly: EarlyReads | undefined;
}

/** Both scripts of the page have the same one. */
globalThis.postriderEarly ??= { asked: new Map(), isOver: false };
export const early: EarlyReads = globalThis.postriderEarly;

/** Makes a request before the program does. */
export function askEarly(path: string, accept = 'application/json'): Promise<Response> {
  const end = new AbortController();
  const answer = fetch(path, { headers: { accept }, credentials: 'same-origin', signal: end.signal });
  early.asked.set(path, { answer, end });
  return answer;
}

/**
 * Whether a list was read early. It was read when the stream had begun, and knows no event of it; without that stream, it
 * would have gaps.
 */
export const isReadEarly = (path: string): boolean => early.asked.has(path) && !early.asked.has(STREAM);

/** The answer to a request that was made early; undefined: there is none that says the same as one that is made now. */
export function takeEarly(url: string, init: RequestInit = {}): Promise<Response> | undefined {
  const path = url.replace(location.origin, '');
  const request = early.asked.get(path);
  const isPlain = (init.method ?? 'GET') === 'GET' && !new Headers(init.headers).has('last-event-id');
  // Another stream begins: what was read for the first one has gaps.
  if (path.startsWith(STREAM) && !(request && isPlain)) dropEarly();
  if (request === undefined || !isPlain || (path.startsWith(LIST) && !isReadEarly(path))) return undefined;
  early.asked.delete(path);
  if (path === ME) setTimeout(dropEarly, DROP_MS);
  const stop = () => request.end.abort();
  if (init.signal?.aborted) stop();
  init.signal?.addEventListener('abort', stop);
  return request.answer;
}

/** Ends what nobody has taken. */
function dropEarly(): void {
  early.isOver = true;
  for (const { end } of early.asked.values()) end.abort();
  early.asked.clear();
}
