/** One tab of the console against the model: its stream, its requests on their way, and its commands. */
import type { Sort } from '../activity.ts';
import {
  beginTry,
  type Client,
  commandsToTry,
  dropCommand,
  emptyClient,
  finishTry,
  receive,
  submit,
  withState,
} from '../client.ts';
import type { Intent, Outcome } from '../commands.ts';
import { mergeConversations, mergeList, mergeThread, openThread } from '../reads.ts';
import type { LiveState } from '../state.ts';
import type { ListFilter } from '../view.ts';
import type { ModelServer } from './model-server.ts';

export interface ModelList extends ListFilter {
  readonly sort: Sort;
}

/** A request: what the server answers, and what becomes of the answer. Each is a step of its own. */
interface Request {
  readonly serve: () => (client: Client) => Client;
  readonly lost: (client: Client) => Client;
  answer: ((client: Client) => Client) | null;
}

export class ModelTab {
  client: Client = emptyClient;
  readonly #requests: Request[] = [];
  readonly #asked = new Set<string>();
  /** The newest event that was sent to this tab. */
  #position: number;
  #commands = 0;

  readonly name: string;
  readonly server: ModelServer;
  readonly lists: readonly ModelList[];

  constructor(name: string, server: ModelServer, lists: readonly ModelList[]) {
    this.name = name;
    this.server = server;
    this.lists = lists;
    // The stream begins before anything is read.
    this.#position = server.head;
    for (const list of lists) this.readPage(list);
  }

  get isIdle(): boolean {
    const { state, commands } = this.client;
    const isStale = state.stale.conversations.size + state.stale.threads.size > 0;
    const isRead = this.lists.every(({ name }) => state.lists.has(name));
    return (
      this.#requests.length === 0 && isRead && !isStale && commands.length === 0 && this.#position === this.server.head
    );
  }

  /** Some of the events that wait for it arrive. */
  deliver(count: number): void {
    const events = this.server.events.slice(this.#position, this.#position + count);
    this.#position += events.length;
    this.client = receive(this.client, events);
  }

  /** The line is cut and taken up again, further back than it was: events come twice. */
  cut(back: number): void {
    this.#position = Math.max(this.client.state.head === 0 ? this.#position : 0, this.#position - back);
  }

  open(id: string): void {
    this.#setState(openThread(this.client.state, id));
  }

  readPage(list: ModelList): void {
    const held = this.client.state.lists.get(list.name);
    if (held !== undefined && held.cursor === null) return;
    const cursor = held?.cursor ?? null;
    const read = this.#onceAt(`list ${list.name}`);
    read?.((startedAt) => {
      const page = this.server.list(list.holds, list.sort, cursor);
      return (state) => mergeList(state, { startedAt, list: list.name, sort: list.sort, ...page });
    });
  }

  readOlder(id: string): void {
    const cursor = this.client.state.threads.get(id)?.older ?? null;
    if (cursor === null) return;
    this.#onceAt(`thread ${id}`)?.((startedAt) => {
      const page = this.server.thread(id, cursor);
      return (state) => mergeThread(state, { startedAt, conversationId: id, isOlder: true, ...page });
    });
  }

  /** Reads again what is stale. */
  refresh(): void {
    const { conversations, threads } = this.client.state.stale;
    for (const id of conversations) {
      this.#onceAt(`conversation ${id}`)?.((startedAt) => {
        const found = new Map([[id, this.server.conversations.get(id) ?? null]]);
        return (state) => mergeConversations(state, { startedAt, conversations: found });
      });
    }
    for (const id of threads) {
      this.#onceAt(`thread ${id}`)?.((startedAt) => {
        const page = this.server.thread(id, null);
        return (state) => mergeThread(state, { startedAt, conversationId: id, isOlder: false, ...page });
      });
    }
  }

  issue(conversationId: string, intent: Intent): void {
    this.#commands += 1;
    const key = `${this.name}-${this.#commands}`;
    const issuedAt = '2030-01-01T00:00:00.000Z';
    this.client = submit(this.client, { key, conversationId, intent, issuedAt, progress: { at: 'waiting' } });
  }

  /** Sends every command whose turn it is. */
  try(): void {
    for (const command of commandsToTry(this.client, 0)) {
      const startedAt = this.client.state.head;
      this.client = beginTry(this.client, command.key);
      const ended = (outcome: Outcome) => (client: Client) => finishTry(client, command.key, outcome, startedAt);
      this.#requests.push({
        serve: () => ended(this.server.execute(command)),
        lost: ended({ kind: 'lost' }),
        answer: null,
      });
    }
  }

  /** A request reaches the server. */
  serve(place: number): void {
    const waiting = this.#requests.filter(({ answer }) => answer === null);
    const request = waiting[place % Math.max(1, waiting.length)];
    if (request) request.answer = request.serve();
  }

  /** An answer reaches the tab, or is lost on its way: then the request is made again later. */
  finish(place: number, isLost: boolean): void {
    const answered = this.#requests.filter(({ answer }) => isLost || answer !== null);
    const request = answered[place % Math.max(1, answered.length)];
    if (!request) return;
    this.#requests.splice(this.#requests.indexOf(request), 1);
    this.client = (isLost ? request.lost : (request.answer ?? request.lost))(this.client);
  }

  dropRefused(): void {
    for (const { key, progress } of this.client.commands) {
      if (progress.at === 'refused') this.client = dropCommand(this.client, key);
    }
  }

  /** Everything that is on its way arrives, until nothing is left to do. */
  settle(): void {
    for (let round = 0; !this.isIdle; round++) {
      if (round === 100) throw new Error(`${this.name} does not come to rest.`);
      this.deliver(Number.POSITIVE_INFINITY);
      this.try();
      this.refresh();
      for (const list of this.lists) if (!this.client.state.lists.has(list.name)) this.readPage(list);
      while (this.#requests.length > 0) {
        this.serve(0);
        this.finish(0, false);
      }
      this.dropRefused();
    }
  }

  #setState(state: LiveState): void {
    this.client = withState(this.client, state);
  }

  /** One read of a thing at a time. */
  #onceAt(what: string): ((read: (startedAt: number) => (state: LiveState) => LiveState) => void) | null {
    if (this.#asked.has(what)) return null;
    this.#asked.add(what);
    const startedAt = this.client.state.head;
    const ended = (client: Client) => {
      this.#asked.delete(what);
      return client;
    };
    return (read) =>
      this.#requests.push({
        serve: () => {
          const merge = read(startedAt);
          return (client) => withState(ended(client), merge(client.state));
        },
        lost: ended,
        answer: null,
      });
  }
}
