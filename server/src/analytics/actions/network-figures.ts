import type { TokenProvider } from '#accounts/actions/account-token';
import type { Asked } from '#accounts/domain/account-network';
import { listPhoneNumbers, type PhoneNumber } from '#accounts/store/phone-numbers';
import type {
  FiguresNetwork,
  MessagePoint,
  NetworkConversationKey,
  NetworkConversationPoint,
  NetworkInterval,
  PriceKey,
  PricePoint,
} from '#analytics/domain/network-figures';
import { figuresRefusal } from '#analytics/domain/refusal';
import type { Period } from '#core/calendar';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type MessageCounts, type MessageDimension, NO_COUNTS } from '#events/domain/message-sums';
import { accessTo, chooseAccount } from '#templates/actions/template-deps';
import type { AccountAccess } from '#templates/domain/network';
import { readOurFigures, readOurNumbers } from './our-figures.ts';

/** Dependencies of reports of the network's figures. The network is passed in: an action makes no outside calls. */
export interface FiguresDeps {
  readonly db: Database;
  readonly network: FiguresNetwork;
  readonly tokens: TokenProvider;
}

/** Whose figures, and of which time. */
export interface FiguresRequest {
  readonly tenantId: TenantId;
  /** Null: the only account of the tenant. */
  readonly networkAccountId: string | null;
  /** Null: all numbers of the account. */
  readonly phoneNumberId: string | null;
  /** Whole days of UTC. */
  readonly period: Period;
  readonly interval: NetworkInterval;
}

/** The account that a report is about, and how it is asked. */
export interface CountedAccount {
  readonly at: AccountAccess;
  readonly numbers: readonly PhoneNumber[];
  /** Whether these are all numbers of the tenant: sums of a category or a template are those of all numbers. */
  readonly isWhole: boolean;
}

/** Figures of the network, in the order of time. */
export interface NetworkFigures<Point> {
  readonly networkAccountId: string;
  readonly points: readonly Point[];
}

type WithOurs<Point> = Point & { readonly ours: MessageCounts | null };

/**
 * What the network has counted of messages, and what we have.
 * @throws ApiProblem unknown_network_account, unknown_phone_number, conflict, refused_by_network, network_unreachable
 */
export async function readMessageFigures(
  parts: FiguresDeps,
  request: FiguresRequest,
): Promise<NetworkFigures<MessagePoint & { readonly ours: MessageCounts }>> {
  const account = await countedAccount(parts, request);
  const points = await askFigures(account, request, (wish) => parts.network.messageFigures(account.at, wish));
  const { tenantId } = request;
  const phoneNumberIds = account.numbers.map((number) => number.phoneNumberId);
  const ours = await readOurNumbers(parts.db, { tenantId, phoneNumberIds }, points);
  return {
    networkAccountId: account.at.networkAccountId,
    points: points.map((point, place) => ({ ...point, ours: ours[place] ?? NO_COUNTS })),
  };
}

/** What messages have cost, and how many of them we know to be delivered. @throws ApiProblem as readMessageFigures */
export async function readPriceFigures(
  parts: FiguresDeps,
  request: FiguresRequest,
  by: PriceKey,
): Promise<NetworkFigures<WithOurs<PricePoint>>> {
  const account = await countedAccount(parts, request);
  const asked = await askFigures(account, request, (wish) => parts.network.priceFigures(account.at, wish, by));
  const points = asked.map((point) => withNumberId(account, by, point));
  const dimension = dimensionOf(by, account);
  const ours = dimension && (await readOurFigures(parts.db, { tenantId: request.tenantId, dimension }, points));
  return {
    networkAccountId: account.at.networkAccountId,
    points: points.map((point, place) => ({ ...point, ours: ours?.[place] ?? null })),
  };
}

/** What conversations have cost. @throws ApiProblem as readMessageFigures */
export async function readConversationCosts(
  parts: FiguresDeps,
  request: FiguresRequest,
  by: NetworkConversationKey,
): Promise<NetworkFigures<NetworkConversationPoint>> {
  const account = await countedAccount(parts, request);
  const points = await askFigures(account, request, (wish) => parts.network.conversationFigures(account.at, wish, by));
  return {
    networkAccountId: account.at.networkAccountId,
    points: points.map((point) => withNumberId(account, by, point)),
  };
}

/**
 * The account of a request, with the numbers that the tenant has in it: of an account that the operator shares among tenants,
 * the network would count those of others too.
 * @throws ApiProblem unknown_network_account, unknown_phone_number, conflict
 */
export async function countedAccount(
  parts: Pick<FiguresDeps, 'db' | 'tokens'>,
  { tenantId, networkAccountId, phoneNumberId }: Omit<FiguresRequest, 'period' | 'interval'>,
): Promise<CountedAccount> {
  const account = await chooseAccount(parts, tenantId, networkAccountId);
  const all = await listPhoneNumbers(parts.db, tenantId);
  const own = all.filter((number) => number.networkAccountId === account.networkAccountId);
  const numbers = phoneNumberId === null ? own : own.filter((number) => number.phoneNumberId === phoneNumberId);
  if (phoneNumberId !== null && numbers.length === 0) throw unknownNumber();
  return { at: await accessTo(parts, tenantId, account), numbers, isWhole: numbers.length === all.length };
}

function unknownNumber(): ApiProblem {
  const details = [{ path: 'query.phone_number_id', message: UNKNOWN_NUMBER }];
  return new ApiProblem('unknown_phone_number', { sentence: UNKNOWN_NUMBER, details });
}

/** The refusal of a number. */
export const UNKNOWN_NUMBER = 'phone_number_id does not name a sending number of this tenant in this account.';

/** In the order of time. An account without numbers has no figures, and none to ask for: an empty list would mean all. */
async function askFigures<P extends Period & { readonly key?: string }>(
  { numbers }: CountedAccount,
  { period, interval }: FiguresRequest,
  ask: (wish: Parameters<FiguresNetwork['messageFigures']>[1]) => Promise<Asked<readonly P[]>>,
): Promise<readonly P[]> {
  if (numbers.length === 0) return [];
  const points = requireFigures(await ask({ period, interval, phones: numbers.map((number) => number.displayPhone) }));
  return points.toSorted((a, b) => a.startMs - b.startMs || (a.key ?? '').localeCompare(b.key ?? ''));
}

/** What the network answered. @throws ApiProblem refused_by_network, network_unreachable */
export function requireFigures<T>(asked: Asked<T>): T {
  if (!asked.ok) throw figuresRefusal(asked.failure);
  return asked.value;
}

/** The network names a number by its digits. */
function withNumberId<P extends { readonly key: string }>({ numbers }: CountedAccount, by: string, point: P): P {
  if (by !== 'phone_number_id') return point;
  return { ...point, key: numbers.find(({ displayPhone }) => displayPhone === point.key)?.phoneNumberId ?? point.key };
}

/** What we tell sums apart by too; null: by nothing of the kind, or of other numbers as well. */
function dimensionOf(by: PriceKey, { isWhole }: CountedAccount): MessageDimension | null {
  if (by === 'phone_number_id') return 'number';
  return by === 'category' && isWhole ? 'category' : null;
}
