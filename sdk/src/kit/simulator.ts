import { chaosPlan, type FailureOptions, type Fault, type FaultOptions, type Step } from './faults.ts';
import { startProgram } from './program.ts';

/** How the simulated network is set up. */
export interface SimulatorOptions {
  /** Where statuses and customers' messages are reported to. Default: nowhere. */
  readonly callbackUrl?: string | undefined;
  /** Key that signs them. Default: the one that the service expects when nothing is set. */
  readonly appSecret?: string | undefined;
  /** IDs of the business's numbers that exist from the start. */
  readonly numbers?: readonly string[] | undefined;
  /** Whether free text to somebody who has not written for a day fails, as on the real network. Default: true. */
  readonly window?: boolean | undefined;
  /** Whether only templates that were created exist, as on the real network. Default: true. */
  readonly strictTemplates?: boolean | undefined;
  /** Whether the approved template `order_ready` (`en_US`) exists. Default: true. */
  readonly demoTemplate?: boolean | undefined;
}

/** What a customer writes: who it is, and one content. */
export type CustomerMessage = CustomerSender & CustomerContent;

interface CustomerSender {
  /** Phone number of the customer; a customer who hides it has a `user_id` instead. */
  readonly from?: string | undefined;
  readonly user_id?: string | undefined;
  readonly name?: string | undefined;
  /** The number that they write to. Default: the one that has sent last, else the first. */
  readonly phone_number_id?: string | undefined;
  /** The network's ID of the message that is answered. */
  readonly reply_to?: string | undefined;
}

type CustomerContent =
  | { readonly text: string }
  | { readonly media: CustomerFile }
  | { readonly location: object }
  | { readonly reaction: { readonly message_id: string; readonly emoji: string } }
  | { readonly button: { readonly payload: string; readonly text: string } }
  | { readonly button_reply: { readonly id: string; readonly title: string } }
  | { readonly list_reply: { readonly id: string; readonly title: string; readonly description?: string } }
  /** A message object as in the network's callbacks. */
  | { readonly message: object };

interface CustomerFile {
  readonly mime_type: string;
  /** In base64. */
  readonly data: string;
  readonly filename?: string | undefined;
  readonly caption?: string | undefined;
  /** Whether it was recorded as a voice note. */
  readonly voice?: boolean | undefined;
}

/** A message that the network has accepted. */
export interface ReceivedMessage {
  /** The network's ID (`wamid.…`). */
  readonly id: string;
  readonly phone_number_id: string;
  readonly to: string;
  readonly type: string;
  readonly accepted_at: string;
  /** The request as the service made it, in the network's format. */
  // biome-ignore lint/suspicious/noExplicitAny: the network has a format for each of its types
  readonly request: any;
}

/** Which messages the network has received. */
export interface ReceivedQuery {
  readonly to?: string | undefined;
  readonly phone_number_id?: string | undefined;
}

/** How many messages to wait for, and for how long. */
export interface ReceivedOptions {
  /** Waits until there are that many. Default: 0, what there is now. */
  readonly atLeast?: number | undefined;
  /** Default: 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** How a customer's phone treats messages. */
export interface CustomerBehavior {
  /** Messages are accepted and then fail with 131026. */
  readonly refuse?: boolean | undefined;
  /** They are delivered and read 10 seconds later. */
  readonly late?: boolean | undefined;
  /** The last status is reported first. */
  readonly out_of_order?: boolean | undefined;
  /** They stay unread until `customerReads`. */
  readonly read_by_hand?: boolean | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const ASK_AGAIN_MS = 20;
const PAGE = 10_000;

/** The network, played by a program of its own. All methods throw an `Error` with the simulator's sentence when it refuses. */
export class Simulator {
  /** Where it listens: the address of the network, and a page with the customers' phones. */
  readonly url: string;
  readonly #stop: () => Promise<void>;

  constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.#stop = stop;
  }

  /** A customer writes. @returns the network's ID of the message */
  async customerWrites(message: CustomerMessage): Promise<string> {
    const { id } = await this.control<{ readonly id: string }>('POST', '/_sim/inbound', message);
    return id;
  }

  /** How the phone of a customer treats messages from now on. */
  async customerBehaves(phone: string, behavior: CustomerBehavior): Promise<void> {
    await this.control('PUT', '/_sim/phone/behavior', { peer: phone, ...behavior });
  }

  /** A customer reads what `read_by_hand` has left unread. @returns how many messages that were */
  async customerReads(phone: string): Promise<number> {
    const { read } = await this.control<{ readonly read: number }>('POST', '/_sim/phone/read', { peer: phone });
    return read;
  }

  /** The messages that the network has accepted, the oldest first. @throws {Error} when there are not enough in time */
  async received(query: ReceivedQuery = {}, options: ReceivedOptions = {}): Promise<readonly ReceivedMessage[]> {
    const { atLeast = 0, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      const found = await this.#readAll(query);
      if (found.length >= atLeast) return found;
      if (performance.now() >= endMs) {
        const to = query.to === undefined ? '' : ` for ${query.to}`;
        throw new Error(
          `The network has received ${found.length} messages${to} within ${timeoutMs} ms, not ${atLeast}.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  /** What goes wrong from now on, instead of what was said before; nothing: `disturb({})`. */
  async disturb(faults: Readonly<Partial<Record<Fault, FaultOptions>>>): Promise<void> {
    await this.control('PUT', '/_sim/chaos', chaosPlan(faults));
  }

  /** The next calls of these steps fail, instead of what was ordered before. */
  async failNext(steps: Readonly<Partial<Record<Step, FailureOptions>>>): Promise<void> {
    await this.control('PUT', '/_sim/failures', steps);
  }

  /** Moves the network's clock: windows close, callbacks become due. */
  async advanceClock(ms: number): Promise<void> {
    await this.control('POST', '/_sim/clock', { advance_ms: ms });
  }

  /** Forgets all messages, customers, templates and faults. Settings and numbers stay. */
  async reset(): Promise<void> {
    await this.control('POST', '/_sim/reset');
  }

  /** Any of the simulator's own calls, which its README lists. @throws {Error} with its sentence when it refuses */
  async control<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(this.url + path, { method, ...sent });
    const answer = (await response.json()) as Answer & { readonly error?: string };
    if (!response.ok)
      throw new Error(answer.error ?? `The simulator answered ${response.status} to ${method} ${path}.`);
    return answer;
  }

  /** Ends it. */
  close(): Promise<void> {
    return this.#stop();
  }

  async #readAll(query: ReceivedQuery): Promise<readonly ReceivedMessage[]> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const found: ReceivedMessage[] = [];
    for (;;) {
      const search = new URLSearchParams([...given, ['limit', String(PAGE)], ['offset', String(found.length)]]);
      const { data } = await this.control<{ readonly data: ReceivedMessage[] }>('GET', `/_sim/messages?${search}`);
      found.push(...data);
      if (data.length < PAGE) return found;
    }
  }
}

/**
 * Starts the simulated network on a free port, in a process of its own that ends with this one.
 * @throws {Error} when the package `@postrider/simulator` is not installed
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { numbers = [], window = true, strictTemplates = true, demoTemplate = true } = options;
  const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');
  const { url, stop } = await startProgram({
    package: '@postrider/simulator',
    file: 'bin',
    args: [],
    settings: {
      MESSAGING_SIMULATOR_PORT: '0',
      MESSAGING_SIMULATOR_CALLBACK_URL: options.callbackUrl ?? '',
      MESSAGING_SIMULATOR_GATEWAY_CALLBACK_URL: '',
      MESSAGING_SIMULATOR_NUMBERS: numbers.join(','),
      MESSAGING_SIMULATOR_WINDOW: onOff(window),
      MESSAGING_SIMULATOR_STRICT_TEMPLATES: onOff(strictTemplates),
      MESSAGING_SIMULATOR_DEMO_TEMPLATE: onOff(demoTemplate),
      ...(options.appSecret === undefined ? {} : { MESSAGING_APP_SECRET: options.appSecret }),
    },
  });
  return new Simulator(url, stop);
}
