/**
 * Asks for what the inbox reads first. The page runs this script as soon as it has arrived, before everything else: a slow
 * machine takes longer to load the program than the service takes to answer.
 */
import { askEarly, early, listPath, ME, STREAM, VIEW_NAMES, viewQuery } from './early-reads.ts';

/** Addresses of the inbox; `/` leads there. */
const INBOX = /^\/(?:inbox(?:\/|$)|$)/;

interface SignedIn {
  /** Null: this person is not an agent. */
  readonly agentId: string | null;
}

/** Nothing is asked for nobody, and the list is read once the stream has begun. */
async function readEarly({ pathname, search }: Location): Promise<void> {
  if (!INBOX.test(pathname)) return;
  const name = new URLSearchParams(search).get('view') ?? 'open';
  // What a view that somebody has made asks for is not known yet.
  const view = VIEW_NAMES.find((one) => one === name);
  // Without a network the program finds out for itself, and says so.
  const me = whoIsSignedIn().catch(() => null);
  if (!hasSession() && (await me) === null) return;
  if (view === undefined || (await hasOtherTab())) return;
  const stream = askEarly(STREAM, 'text/event-stream');
  const person = view === 'mine' ? await me : { agentId: null };
  if (!(await stream).ok || person === null || early.isOver) return;
  await askEarly(listPath(viewQuery(view, person.agentId)));
}

/** Whether the page came to a browser that has a cookie: its person is most likely signed in, and the stream does not wait for the answer. */
const hasSession = (): boolean => 'session' in document.documentElement.dataset;

async function whoIsSignedIn(): Promise<SignedIn | null> {
  const me = await askEarly(ME);
  if (!me.ok) return null;
  const { agent } = (await me.clone().json()) as { readonly agent: { readonly id: string } | null };
  return { agentId: agent?.id ?? null };
}

/** Whether another tab has the stream, which this one is going to follow. */
async function hasOtherTab(): Promise<boolean> {
  const locks = await navigator.locks?.query();
  return (locks?.held ?? []).some(({ name = '' }) => /^postrider .* stream$/.test(name));
}

readEarly(location).catch(() => undefined);
