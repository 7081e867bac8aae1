/**
 * What the inbox reads first. In the built page this file is a script of its own, which runs while the program is still on
 * its way: it imports nothing.
 */

/** The views that are always there. */
export const VIEW_NAMES = ['open', 'mine', 'unassigned', 'waiting', 'snoozed', 'resolved'] as const;
export type BuiltInName = (typeof VIEW_NAMES)[number];

/** Conversations of one page of a list. */
export const ROWS = 50;
export const ME = '/v1/me';

const STREAM = '/v1/events/stream?signals=true';
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

/** Addresses of the inbox; `/` leads there. */
const INBOX = /^\/(?:inbox(?:\/|$)|$)/;
/** What the program has not asked for so long after its first request, it does not need. */
const DROP_MS = 60_000;

interface Early {
  readonly answer: Promise<Response>;
  readonly end: AbortController;
}

const asked = new Map<string, Early>();

/**
 * Whether a list was read early. It was read when the stream had begun, and knows no event of it; without that stream, it
 * would have gaps.
 */
export const isReadEarly = (path: string): boolean => asked.has(path) && !asked.has(STREAM);

/** The answer to a request that was made early; undefined: there is none that says the same as one that is made now. */
export function takeEarly(url: string, init: RequestInit = {}): Promise<Response> | undefined {
  const path = url.replace(location.origin, '');
  const early = asked.get(path);
  const isPlain = (init.method ?? 'GET') === 'GET' && !new Headers(init.headers).has('last-event-id');
  // Another stream begins: what was read for the first one has gaps.
  if (path.startsWith(STREAM) && !(early && isPlain)) dropEarly();
  if (early === undefined || !isPlain || (path.startsWith(LIST) && !isReadEarly(path))) return undefined;
  asked.delete(path);
  if (path === ME) setTimeout(dropEarly, DROP_MS);
  const stop = () => early.end.abort();
  if (init.signal?.aborted) stop();
  init.signal?.addEventListener('abort', stop);
  return early.answer;
}

/** Ends what nobody has taken. */
function dropEarly(): void {
  for (const { end } of asked.values()) end.abort();
  asked.clear();
}

function ask(path: string, accept = 'application/json'): Promise<Response> {
  const end = new AbortController();
  const answer = fetch(path, { headers: { accept }, credentials: 'same-origin', signal: end.signal });
  asked.set(path, { answer, end });
  return answer;
}

/** One after the other: nothing is asked for nobody, and the list is read once the stream has begun. */
async function readEarly({ pathname, search }: Location): Promise<void> {
  if (!INBOX.test(pathname)) return;
  const name = new URLSearchParams(search).get('view') ?? 'open';
  // What a view that somebody has made asks for is not known yet.
  const view = VIEW_NAMES.find((one) => one === name);
  const me = await ask(ME);
  if (!me.ok) return;
  const { agent } = (await me.clone().json()) as { readonly agent: { readonly id: string } | null };
  if (view === undefined || (await hasOtherTab())) return;
  const stream = await ask(STREAM, 'text/event-stream');
  // The program may be there by now: it asks for itself.
  if (!stream.ok || !asked.has(STREAM)) return;
  await ask(listPath(viewQuery(view, agent?.id ?? null)));
}

/** Whether another tab has the stream, which this one is going to follow. */
async function hasOtherTab(): Promise<boolean> {
  const locks = await navigator.locks?.query();
  return (locks?.held ?? []).some(({ name = '' }) => /^postrider .* stream$/.test(name));
}

// Without a network the program finds out for itself, and says so.
if (typeof document !== 'undefined') readEarly(location).catch(() => undefined);
