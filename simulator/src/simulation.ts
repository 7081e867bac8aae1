import type { AccountRegistry } from './accounts/account-registry.ts';
import type { TokenRegistry } from './accounts/token-registry.ts';
import type { BusinessRegistry } from './business/business-registry.ts';
import type { CallbackDispatcher } from './callbacks/dispatcher.ts';
import type { CallbackClient } from './callbacks/post.ts';
import type { ChaosEngine } from './chaos.ts';
import type { Clock, Timers } from './clock.ts';
import type { CustomerBehaviors } from './customer-behavior.ts';
import type { Customers } from './customers.ts';
import type { Failures } from './failures.ts';
import type { FigureBook } from './figures/figure-book.ts';
import type { FlowRegistry } from './flows/flow-registry.ts';
import type { GatewayEvents } from './gateway/events.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Ledger } from './ledger.ts';
import type { MagicCounters } from './magic.ts';
import type { MediaStore } from './media/media-store.ts';
import type { NumberRegistry } from './numbers.ts';
import type { PhonePasts } from './past/phone-past.ts';
import type { Settings } from './settings.ts';
import type { StateFile } from './state/state-file.ts';
import type { Stats } from './stats.ts';
import type { TempFolder } from './temp-folder.ts';
import type { ReviewPolicy } from './templates/review.ts';
import type { TemplateStore } from './templates/template-store.ts';
import type { UploadSessions } from './uploads/upload-sessions.ts';
import type { WamidMaker } from './wamid.ts';

/** The whole state of one simulated network; every handler gets it as its first argument. */
export type Simulation = {
  settings: Settings;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: WamidMaker;
  readonly ledger: Ledger;
  readonly numbers: NumberRegistry;
  readonly customers: Customers;
  /** How single customers treat what they get. */
  readonly behaviors: CustomerBehaviors;
  /** What the phones of businesses know from before the API. */
  readonly pasts: PhonePasts;
  readonly chaos: ChaosEngine;
  readonly magic: MagicCounters;
  readonly callbacks: CallbackDispatcher;
  readonly client: CallbackClient;
  readonly stats: Stats;
  /** Where files lie. */
  readonly folder: TempFolder;
  readonly media: MediaStore;
  readonly uploads: UploadSessions;
  /** Changes when all addresses of media are to expire together. */
  mediaUrlEpoch: number;
  readonly templates: TemplateStore;
  /** What becomes of templates that are handed in. */
  review: ReviewPolicy;
  readonly tokens: TokenRegistry;
  readonly accounts: AccountRegistry;
  readonly business: BusinessRegistry;
  readonly flows: FlowRegistry;
  /** What was sent, delivered, read and tapped, by days. */
  readonly figures: FigureBook;
  readonly gateway: Gateway;
  readonly gatewayEvents: GatewayEvents;
  readonly failures: Failures;
  /** Keeps all of this for the next run; null: nothing is kept. */
  readonly state: StateFile | null;
  /** One line for the operator. */
  readonly log: (line: string) => void;
};
