/** Says to colleagues what this page does in the conversation that it shows. */

/** The service forgets a signal after 15 seconds. */
const RENEW_MS = 8_000;
/** Who steps through a list does not look at each conversation. */
const LOOK_MS = 400;
/** A pause in which somebody thinks; after a longer one, nobody writes. */
const WRITE_MS = 6_000;
/** A page that nobody touches for so long is open, but not looked at: it asks the service for nothing. */
const IDLE_MS = 120_000;

export interface Doing {
  readonly viewing: boolean;
  readonly writing: boolean;
}

type Timer = ReturnType<typeof setTimeout>;

export class SignalSender {
  readonly #send: (doing: Doing) => void;
  #said: Doing = { viewing: false, writing: false };
  #isVisible = true;
  #isWriting = false;
  #touchedMs = Date.now();
  #isLooking = false;
  readonly #timers: { look: Timer | null; write: Timer | null; renew: Timer | null };

  /** @param send passes a signal on; what is lost is renewed */
  constructor(send: (doing: Doing) => void) {
    this.#send = send;
    this.#timers = { look: setTimeout(() => this.#look(), LOOK_MS), write: null, renew: null };
  }

  /** Somebody moves or types anywhere in the page. */
  touch(): void {
    const wasIdle = this.#isIdle();
    this.#touchedMs = Date.now();
    if (wasIdle) this.#say();
  }

  /** The page comes to the front, or goes. */
  show(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (!isVisible) this.#isWriting = false;
    this.#touchedMs = Date.now();
    this.#say();
  }

  /** What is written changes. @param isEmpty it was sent or thrown away */
  write(isEmpty: boolean): void {
    if (this.#timers.write !== null) clearTimeout(this.#timers.write);
    this.#timers.write = isEmpty ? null : setTimeout(() => this.write(true), WRITE_MS);
    this.#isWriting = !isEmpty;
    this.#touchedMs = Date.now();
    this.#say();
  }

  /** The page shows something else. */
  stop(): void {
    for (const timer of Object.values(this.#timers)) if (timer !== null) clearTimeout(timer);
    this.#isLooking = false;
    this.#isWriting = false;
    this.#say();
  }

  #look(): void {
    this.#isLooking = true;
    this.#say();
  }

  #isIdle(): boolean {
    return Date.now() - this.#touchedMs > IDLE_MS;
  }

  #say(isRenewal = false): void {
    const viewing = this.#isLooking && this.#isVisible && !this.#isIdle();
    const now = { viewing, writing: this.#isWriting };
    const isSame = now.viewing === this.#said.viewing && now.writing === this.#said.writing;
    if (isSame && !isRenewal) return;
    this.#said = now;
    if (this.#timers.renew !== null) clearTimeout(this.#timers.renew);
    const isThere = now.viewing || now.writing;
    this.#timers.renew = isThere ? setTimeout(() => this.#say(true), RENEW_MS) : null;
    this.#send(now);
  }
}
