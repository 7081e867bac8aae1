import { BEAT_MS, type LeaseRow, type LeaseStore, Ownership } from '#queue/ownership';
import { silentLog } from '#runtime/log';
import { TestClock } from '#testing/test-runtime';

/** Store calls take this long each way when nothing is wrong. */
const QUICK_MS = 20;
/** Now and then one takes up to this long: longer than a lease is safe. */
const SLOW_MS = 7_000;
const SLOW_SHARE = 0.1;
const TICK_MS = 50;
/** Work that holds a lane busy ends after at most this. */
const LONGEST_WORK_MS = 1_500;

interface Table {
  readonly beats: Map<string, number>;
  readonly lanes: Map<string, { ownerId: string | null; epoch: number }>;
}

/** Several processes on one lease table, in one thread and in time that a test moves. Seeded: the same run every time. */
export class LeaseWorld {
  readonly clock = new TestClock();
  readonly #table: Table = { beats: new Map(), lanes: new Map() };
  readonly #processes: LeaseProcess[] = [];
  readonly #random: () => number;
  /** False: calls are quick from now on, so that what must come about in time can be asked for. */
  turbulent = true;

  constructor(laneKeys: readonly string[], random: () => number) {
    this.#random = random;
    for (const key of laneKeys) this.#table.lanes.set(key, { ownerId: null, epoch: 0 });
  }

  get living(): readonly LeaseProcess[] {
    return this.#processes.filter((process) => process.alive);
  }

  join(): void {
    const process = new LeaseProcess(`p${this.#processes.length}`, this, this.#table);
    this.#processes.push(process);
    process.start();
  }

  /** Lets time pass; after each tick `look` may check what must always hold. */
  async pass(ms: number, look: () => void = () => undefined): Promise<void> {
    for (let passed = 0; passed < ms; passed += TICK_MS) {
      this.clock.advance(TICK_MS);
      await new Promise<void>((resolve) => setImmediate(resolve));
      look();
    }
  }

  /** Who is certain to hold a lane now. Asked of frozen ones too: they wake up at any instant and continue. */
  holders(key: string): readonly string[] {
    return this.living.filter((process) => process.holds(key)).map(({ id }) => id);
  }

  latencyMs(): number {
    const slow = this.turbulent && this.#random() < SLOW_SHARE;
    return Math.ceil(this.#random() * (slow ? SLOW_MS : QUICK_MS));
  }

  workMs(): number {
    return this.#random() < 0.5 ? 0 : this.#random() * LONGEST_WORK_MS;
  }
}

/** One process: its ownership, its loop, and a switch that stops it like SIGSTOP does. */
export class LeaseProcess {
  readonly id: string;
  readonly #world: LeaseWorld;
  readonly #table: Table;
  readonly #ownership: Ownership<null>;
  readonly #busyUntilMs = new Map<string, number>();
  #listed: readonly LeaseRow<null>[] = [];
  /** What would have gone on while it was frozen. */
  #withheld: (() => void)[] = [];
  #frozen = false;
  alive = true;

  constructor(id: string, world: LeaseWorld, table: Table) {
    this.id = id;
    this.#world = world;
    this.#table = table;
    this.#ownership = new Ownership<null>({
      id,
      clock: world.clock,
      log: silentLog,
      store: this.#store(),
      onAcquired: async () => undefined,
      isBusy: (key) => (this.#busyUntilMs.get(key) ?? 0) > world.clock.monotonic(),
    });
  }

  start(): void {
    void this.#loop();
  }

  holds(key: string): boolean {
    const lane = this.#ownership.owned.get(key);
    return lane !== undefined && this.#ownership.holds(key, lane.epoch);
  }

  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    for (const goOn of this.#withheld.splice(0)) goOn();
  }

  kill(): void {
    this.alive = false;
  }

  /** An orderly end: nothing is in flight any more, the lanes go back. */
  async leave(): Promise<void> {
    this.alive = false;
    await this.#ownership.leave();
  }

  async #loop(): Promise<void> {
    while (this.alive) {
      await this.#ownership.step();
      this.#work();
      await this.#wait(BEAT_MS);
    }
  }

  #work(): void {
    const { clock } = this.#world;
    for (const key of this.#ownership.owned.keys()) {
      if (this.#ownership.mayClaim(key)) this.#busyUntilMs.set(key, clock.monotonic() + this.#world.workMs());
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#world.clock.after(ms, () => {
        if (this.#frozen) this.#withheld.push(resolve);
        else resolve();
      });
    });
  }

  /** The table is asked after the way there; the answer arrives after the way back. A frozen process reads it later. */
  async #call<Result>(ask: () => Result): Promise<Result> {
    const result = await new Promise<Result>((resolve) => {
      this.#world.clock.after(this.#world.latencyMs(), () => resolve(ask()));
    });
    await this.#wait(this.#world.latencyMs());
    return result;
  }

  #store(): LeaseStore<null> {
    const { beats } = this.#table;
    return {
      beat: (count) => this.#call(() => void beats.set(this.id, count)),
      listOwners: () => this.#call(() => [...beats].map(([id, beat]) => ({ id, beat }))),
      removeOwner: (id, beat) => this.#call(() => (beat === null || beats.get(id) === beat) && beats.delete(id)),
      listLanes: () => this.#call(() => this.#listLanes()),
      acquire: (rows) => this.#call(() => new Map(rows.flatMap((row) => this.#take(row)))),
      release: (rows) =>
        this.#call(() => {
          for (const row of rows) this.#release(row.key, row.epoch);
        }),
    };
  }

  /** The same array until a lane has changed. */
  #listLanes(): readonly LeaseRow<null>[] {
    const rows = [...this.#table.lanes].map(([key, lane]): LeaseRow<null> => ({ key, ...lane, lane: null }));
    if (JSON.stringify(rows) !== JSON.stringify(this.#listed)) this.#listed = rows;
    return this.#listed;
  }

  #take({ key, epoch }: LeaseRow<null>): [string, number][] {
    if (this.#table.lanes.get(key)?.epoch !== epoch) return [];
    this.#table.lanes.set(key, { ownerId: this.id, epoch: epoch + 1 });
    return [[key, epoch + 1]];
  }

  #release(key: string, epoch: number): void {
    const lane = this.#table.lanes.get(key);
    if (lane?.epoch === epoch && lane.ownerId === this.id) this.#table.lanes.set(key, { ownerId: null, epoch });
  }
}
