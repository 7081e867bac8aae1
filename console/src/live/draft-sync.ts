/** Keeps drafts in this browser and on the service: a text that was typed is not lost, and goes on elsewhere. */
import {
  afterReply,
  type DraftContent,
  edited,
  emptyDraft,
  type HeldDraft,
  isEmpty,
  isSame,
  reconcile,
  type ServerDraft,
  saved,
  sentAway,
  settled,
} from './draft-rules.ts';

/** Where drafts go. Failures to reach it are thrown; what it refuses is `DraftRefused`. */
export interface DraftSource {
  /** The drafts of the person who is signed in, the newest conversations first. */
  list(): Promise<DraftList>;
  read(conversationId: string): Promise<ServerDraft | null>;
  /** Stores it, or deletes the draft when it is empty. @returns its version */
  save(conversationId: string, content: DraftContent, isLeaving: boolean): Promise<string | null>;
}

export interface DraftList {
  readonly drafts: ReadonlyMap<string, ServerDraft>;
  /** False: there are more, and one that is missing here may be there. */
  readonly isWhole: boolean;
}

export class DraftRefused extends Error {
  override name = 'DraftRefused';
}

/** What this browser keeps, for all its tabs. */
export interface DraftStorage {
  get(conversationId: string): HeldDraft | null;
  set(conversationId: string, draft: HeldDraft | null): void;
  ids(): readonly string[];
}

const PAUSE_MS = 1_200;
const RETRY_MS = 5_000;
/** Of one draft. */
const MAX_TRIED = 20;

export class DraftSync {
  readonly #held = new Map<string, HeldDraft>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #busy = new Set<string>();
  /** A save was on its way when the text was sent or an answer stored: nobody knows what the service has kept. */
  readonly #unsure = new Set<string>();
  /** What was given to the service since it last answered: it is known again when answers were lost, and not taken for somebody else's. */
  readonly #tried = new Map<string, readonly DraftContent[]>();
  /** When each draft was last saved, sent or settled, counted in such turns: a list that was asked for before knows nothing of it. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #refreshing: Promise<DraftList | null> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #source: DraftSource;
  readonly #storage: DraftStorage;
  #isStopped = false;

  constructor(source: DraftSource, storage: DraftStorage) {
    this.#source = source;
    this.#storage = storage;
    for (const id of storage.ids()) if (this.of(id).isDirty) this.#later(id, PAUSE_MS);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(id: string): HeldDraft {
    let held = this.#held.get(id);
    if (held === undefined) {
      held = { ...emptyDraft, ...this.#storage.get(id) };
      this.#held.set(id, held);
    }
    return held;
  }

  /** Somebody typed: it is kept here now, and saved after a pause. */
  edit(id: string, content: DraftContent): void {
    if (isSame(this.of(id), content)) return;
    this.#set(id, edited(this.of(id), content, now()));
    this.#later(id, PAUSE_MS);
  }

  /** It was sent, as one or several answers: the service deletes it together with each of them. */
  send(id: string, answers = 1): void {
    this.#forgetTimer(id);
    this.#takeTurn(id);
    if (this.#busy.has(id)) this.#unsure.add(id);
    this.#set(id, sentAway(this.of(id), answers, now()));
  }

  /** An answer of this agent was stored. */
  replied(id: string): void {
    this.#takeTurn(id);
    const before = this.of(id);
    if (before.awaited === 0) return void this.open(id);
    // It may have deleted what a save has stored that is not back yet.
    if (this.#busy.has(id)) this.#unsure.add(id);
    this.#set(id, afterReply(before));
    if (this.of(id).isDirty || this.#unsure.has(id)) this.#later(id, 0);
  }

  /** No answer is on its way any more: it was stored, undone or thrown away. */
  settle(id: string): void {
    if (this.of(id).awaited === 0) return;
    this.#takeTurn(id);
    this.#set(id, settled(this.of(id)));
    this.#later(id, 0);
  }

  /** Asks for what was written elsewhere, in all conversations at once. @returns null when no answer came */
  refresh(): Promise<DraftList | null> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Asks for what was written elsewhere in a conversation that is opened. */
  async open(id: string): Promise<void> {
    const list = await this.refresh();
    if (list === null || list.isWhole || list.drafts.has(id)) return;
    if (this.#busy.has(id)) return;
    await this.#exclusively(id, async () => {
      const turn = this.#turns.get(id);
      const server = await this.#source.read(id);
      if (this.#turns.get(id) === turn) this.#reconcile(id, server, false);
    });
  }

  /** Takes the text that gave way; what is in its place gives way now. */
  takeOther(id: string): void {
    const held = this.of(id);
    if (held.other === null) return;
    const { body, mediaIds } = held;
    const other = isEmpty(held) ? null : { body, mediaIds };
    this.#set(id, { ...edited(held, held.other, now()), other });
    this.#later(id, PAUSE_MS);
  }

  dropOther(id: string): void {
    this.#set(id, { ...this.of(id), other: null });
  }

  /** Another tab of this browser has written. */
  adopt(id: string): void {
    this.#forgetTimer(id);
    this.#held.delete(id);
    this.#emit();
  }

  /** Saves what is not saved yet without a pause: another conversation is opened. */
  hurry(): void {
    for (const id of [...this.#timers.keys()]) this.#later(id, 0);
  }

  /** Saves what is not saved yet: the page is being left, and perhaps shown again later. */
  flush(): void {
    for (const id of [...this.#timers.keys()]) {
      const { body, mediaIds, isDirty } = this.of(id);
      this.#later(id, PAUSE_MS);
      if (isDirty) void this.#stored(id, { body, mediaIds }, true).catch(() => undefined);
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const id of [...this.#timers.keys()]) this.#forgetTimer(id);
  }

  async #refresh(): Promise<DraftList | null> {
    const turn = this.#turn;
    const list = await this.#source.list().catch(() => null);
    if (list === null || this.#isStopped) return null;
    const { drafts, isWhole } = list;
    const held = isWhole ? [...this.#storage.ids(), ...this.#held.keys()] : [];
    for (const id of new Set([...drafts.keys(), ...held])) {
      if (this.#busy.has(id) || (this.#turns.get(id) ?? 0) > turn) continue;
      this.#reconcile(id, drafts.get(id) ?? null, false);
    }
    return list;
  }

  #reconcile(id: string, server: ServerDraft | null, isTyping: boolean): void {
    const held = this.of(id);
    // What the service has is deleted with the answer that is on its way.
    if (held.awaited > 0) return;
    const isOwn = server !== null && (this.#tried.get(id) ?? []).some((one) => isSame(one, server));
    if (server !== null && !isOwn) this.#tried.delete(id);
    this.#set(
      id,
      isOwn ? saved({ ...held, isDirty: true }, server, server.updatedAt) : reconcile(held, server, isTyping),
    );
  }

  #takeTurn(id: string): void {
    this.#turn += 1;
    this.#turns.set(id, this.#turn);
  }

  #later(id: string, ms: number): void {
    this.#forgetTimer(id);
    if (this.#isStopped) return;
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id);
        void this.#save(id);
      }, ms),
    );
  }

  #forgetTimer(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  async #save(id: string): Promise<void> {
    if (!this.of(id).isDirty && !this.#unsure.has(id)) return;
    if (this.#busy.has(id)) return this.#later(id, PAUSE_MS);
    await this.#exclusively(id, async () => {
      const turn = this.#turns.get(id);
      const server = await this.#kept(id);
      // It was sent meanwhile, or an answer stored: this is from before.
      if (this.#turns.get(id) !== turn) return;
      // What is here is looked at afterwards: somebody may have typed meanwhile.
      this.#reconcile(id, server, true);
      const { body, mediaIds, base } = this.of(id);
      const content = { body, mediaIds };
      this.#unsure.delete(id);
      const version = base === null && isEmpty(content) ? null : await this.#stored(id, content, false);
      // What was sent meanwhile is no draft any more.
      if (this.of(id).awaited > 0) this.#unsure.add(id);
      else if (!this.#unsure.has(id)) this.#set(id, saved(this.of(id), content, version));
    });
  }

  async #stored(id: string, content: DraftContent, isLeaving: boolean): Promise<string | null> {
    this.#tried.set(id, [content, ...(this.#tried.get(id) ?? [])].slice(0, MAX_TRIED));
    try {
      const version = await this.#source.save(id, content, isLeaving);
      if (!isLeaving) this.#tried.set(id, [content]);
      return version;
    } catch (error) {
      this.#unsure.add(id);
      throw error;
    }
  }

  /** The draft that the service has. When it may have none, the list is asked instead: asking for one draft that does not exist is an error. */
  async #kept(id: string): Promise<ServerDraft | null> {
    if (this.of(id).base !== null) return this.#source.read(id);
    const { drafts, isWhole } = await this.#source.list();
    return drafts.get(id) ?? (isWhole ? null : this.#source.read(id));
  }

  /** One request about a draft at a time. What could not be saved is tried again; what was refused stays in this browser. */
  async #exclusively(id: string, work: () => Promise<void>): Promise<void> {
    this.#busy.add(id);
    this.#takeTurn(id);
    let againMs: number | null = PAUSE_MS;
    try {
      await work();
    } catch (error) {
      againMs = error instanceof DraftRefused ? null : RETRY_MS;
    } finally {
      this.#busy.delete(id);
      // A list that was read in between knows nothing of it either.
      this.#takeTurn(id);
    }
    const { isDirty, awaited } = this.of(id);
    if (againMs !== null && (isDirty || (this.#unsure.has(id) && awaited === 0))) this.#later(id, againMs);
  }

  #set(id: string, draft: HeldDraft): void {
    if (draft === this.#held.get(id)) return;
    this.#held.set(id, draft);
    const isNothing = isEmpty(draft) && !draft.isDirty && draft.awaited === 0 && draft.other === null;
    this.#storage.set(id, isNothing ? null : draft);
    this.#emit();
  }

  #emit(): void {
    for (const listener of this.#listeners) listener();
  }
}

const now = (): string => new Date().toISOString();
