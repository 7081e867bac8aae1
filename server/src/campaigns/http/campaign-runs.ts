import { Readable } from 'node:stream';
import Type from 'typebox';
import { requireGranted } from '#access/actions/require-granted';
import { type CampaignCommand, commandCampaign } from '#campaigns/actions/move-campaign';
import { preflightCampaign } from '#campaigns/actions/preflight-campaign';
import { retryCampaign } from '#campaigns/actions/retry-campaign';
import { type Campaign, RECIPIENT_STATUSES } from '#campaigns/domain/campaign';
import { listResults, type RecipientResult } from '#campaigns/store/campaign-results';
import { findCampaign } from '#campaigns/store/campaigns';
import { requireFound } from '#core/errors';
import { csvLine } from '#core/text/csv';
import type { Database } from '#database/database';
import { wantsCsv } from '#http/csv';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { ifMatchHeader, tagVersion } from '#http/plugins/if-match';
import { belowItem, itemRequest } from '#http/resource';
import { staleExample } from '#http/schemas/errors';
import { pageExample } from '#http/schemas/examples';
import { choiceOf, named, queryOf, viewOf, withExample } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';
import { NoBody } from '#http/schemas/parameters';
import { scopesOfCampaign } from '#rules/domain/effect-scopes';
import { campaign } from './campaigns.ts';
import { presentCampaign, presentPreflight, presentRecipient } from './present/campaign.ts';
import {
  CampaignView,
  campaignExample,
  RecipientView,
  recipientExample,
  runningExample,
  stateExample,
} from './schemas/campaign.ts';
import { PreflightView, preflightExample, RetryBody, unknownSegmentExample } from './schemas/campaign-audience.ts';

const stale = staleExample('campaign');
const MAX_CODE = 64;

const listCampaignRecipientsRoute = defineOperation({
  method: 'GET',
  ...belowItem(campaign, 'recipients', 'read'),
  operationId: 'listCampaignRecipients',
  summary: 'List the recipients of a campaign',
  description:
    'Returns the recipients in the order in which they were added, each with its message and the progress of that message, or the reason why it has none. With `Accept: text/csv`, returns all of them as a table, regardless of the page requested.',
  query: queryOf({
    ...pageQuery,
    status: Type.Optional(
      withExample(
        choiceOf(RECIPIENT_STATUSES, named('RecipientStatus', 'Only recipients with this status.')),
        'waiting',
      ),
    ),
    reason: Type.Optional(
      withExample(
        Type.String({
          pattern: '^[a-z][a-z0-9_]*$',
          maxLength: MAX_CODE,
          description: 'Only recipients who were skipped, or whose message failed, for the reason with this code.',
        }),
        'variable_missing',
      ),
    ),
  }),
  answer: {
    status: 200,
    description: 'A page of recipients.',
    schema: listOf(RecipientView, 'A page of recipients.'),
    example: pageExample(recipientExample),
    csvExample:
      'to,status,message_id,reason_code,reason,sent_at,delivered_at,read_at\r\n447700900123,waiting,,,,,,\r\n',
    headers: ['Link'],
  },
  handle:
    ({ db, cursorKey }) =>
    async (request, reply) => {
      const { id: campaignId } = request.params;
      const { status = null, reason = null } = request.query;
      reply.header('vary', 'accept');
      const found = requireFound(await findCampaign(db, principalOf(request).tenantId, campaignId));
      if (wantsCsv(request.headers.accept)) {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(resultLines(db, found, { status, reason })));
      }
      return answerList(request, reply, {
        cursorKey,
        name: `campaigns/${campaignId}/recipients`,
        filter: givenOnly({ status: request.query.status, reason: request.query.reason }),
        read: async (_tenantId, { limit, offset, beforeId }) => {
          const afterPlace = beforeId === null ? -1 : Number.parseInt(beforeId.replaceAll('-', ''), 16);
          const items = await listResults(db, { ...found, status, reason, afterPlace, offset, limit: limit + 1 });
          return { items: items.slice(0, limit), hasMore: items.length > limit };
        },
        idOf: (recipient) => placeAsId(recipient.place),
        present: presentRecipient,
      });
    },
});

/** Cursors hold ids of 32 hex digits; a place is written as one, and grows where ids fall. */
function placeAsId(place: number): string {
  return place.toString(16).padStart(32, '0');
}

/** Rows read at once for a table. */
const PAGE = 1_000;

/** Page by page, as fast as the reader takes them. */
async function* resultLines(
  db: Database,
  of: Campaign,
  filter: Pick<Parameters<typeof listResults>[1], 'status' | 'reason'>,
): AsyncIterable<string> {
  yield csvLine(['to', 'status', 'message_id', 'reason_code', 'reason', 'sent_at', 'delivered_at', 'read_at']);
  for (let afterPlace = -1; ; ) {
    const page = await listResults(db, { ...of, ...filter, afterPlace, offset: 0, limit: PAGE });
    if (page.length > 0) yield page.map(resultLine).join('');
    if (page.length < PAGE) return;
    afterPlace = page.at(-1)?.place ?? afterPlace;
  }
}

function resultLine(result: RecipientResult): string {
  const shown = presentRecipient(result);
  const cells = [shown.to, shown.status, shown.message_id, result.reason?.code, result.reason?.message];
  return csvLine([...cells, shown.sent_at, shown.delivered_at, shown.read_at].map((cell) => String(cell ?? '')));
}

const preflightCampaignRoute = defineOperation({
  method: 'POST',
  ...belowItem(campaign, 'preflight', 'read'),
  operationId: 'preflightCampaign',
  summary: 'Preflight a campaign',
  description:
    'Runs the checks of every send for the waiting recipients and the contacts of the audience. Returns how many would receive a message, how many would be skipped and why, what it costs and how long it takes. Nothing is stored.',
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The result of the checks.',
    schema: PreflightView,
    example: preflightExample,
  },
  errorExamples: [unknownSegmentExample],
  handle: (context) => async (request) => {
    const found = await preflightCampaign(context.checks, principalOf(request).tenantId, request.params.id);
    return presentPreflight(found, context.rt.config.walletCurrency);
  },
});

interface CommandWords extends Pick<Operation, 'description'> {
  readonly example: Operation['answer']['example'];
  /** The states that allow it, as refusals name them. */
  readonly only: string;
  readonly past: string;
}

/** After these, messages leave. */
const LEADS_TO_SENDS: readonly CampaignCommand[] = ['start', 'resume'];

/** The commands differ in their words, and in the state that they lead to. */
function commandOperation(command: CampaignCommand, { description, example, only, past }: CommandWords): Operation {
  const sends = LEADS_TO_SENDS.includes(command);
  return defineOperation({
    method: 'POST',
    ...belowItem(campaign, command, 'write'),
    operationId: `${command}Campaign`,
    summary: `${command.charAt(0).toUpperCase()}${command.slice(1)} a campaign`,
    description,
    body: NoBody,
    takesIdempotencyKey: 'within',
    requestHeaders: [ifMatchHeader],
    sends,
    answer: { status: 200, description: 'The updated campaign.', schema: CampaignView, example, headers: ['ETag'] },
    errors: ['not_found', ...(command === 'start' ? (['campaign_empty', 'campaign_full'] as const) : [])],
    errorExamples: [
      stateExample(`The campaign is canceled. Only a campaign that is ${only} can be ${past}.`),
      stale,
      ...(command === 'start' ? [unknownSegmentExample] : []),
    ],
    handle:
      ({ rt, db }) =>
      async (request, _reply, once) => {
        const { scopes: granted } = principalOf(request);
        if (sends) requireGranted({ granted }, scopesOfCampaign({ hasAudience: false }));
        const { id: campaignId, ...requester } = itemRequest(request);
        return once.run(async () =>
          presentCampaign(await commandCampaign(rt, db, { ...requester, campaignId }, command)),
        );
      },
  });
}

const startCampaignRoute = commandOperation('start', {
  only: 'draft or scheduled or preparing',
  past: 'started',
  description:
    'Starts the campaign now, or at its `send_at`. The contacts of its audience become recipients first, up to 1000000 (`preparing`). From this point on, neither the audience nor the template changes, whatever happens to the segment. The messages have the lowest priority and are queued two seconds ahead of the sending number, so other messages overtake them.',
  example: runningExample,
});

const pauseCampaignRoute = commandOperation('pause', {
  only: 'preparing or running',
  past: 'paused',
  description:
    'Pauses the campaign. No more messages are queued; messages that are already queued, about two seconds of them, are still sent.',
  example: { ...runningExample, status: 'paused', pause_reason: 'Paused through the API.', version: 3 },
});

const resumeCampaignRoute = commandOperation('resume', {
  only: 'paused',
  past: 'resumed',
  description:
    'Continues the campaign where it was paused. Recipients who already got a message do not get a second one. The counts of the circuit breaker are reset.',
  example: { ...runningExample, version: 4 },
});

const cancelCampaignRoute = commandOperation('cancel', {
  only: 'draft or scheduled or preparing or running or paused',
  past: 'canceled',
  description: 'Cancels the campaign permanently. Messages that are still waiting in the queue are canceled too.',
  example: { ...campaignExample, status: 'canceled', version: 2, finished_at: '2030-01-01T09:05:00.000Z' },
});

const retryCampaignRoute = defineOperation({
  method: 'POST',
  ...belowItem(campaign, 'retry', 'write'),
  operationId: 'retryCampaign',
  summary: 'Retry some recipients of a campaign',
  description:
    'Retries the skipped recipients of a completed or paused campaign, and those whose message failed, and runs the campaign again. Each of them gets a new message, whatever happened to the first one. If there are no such recipients, the campaign stays as it is.',
  sends: true,
  body: RetryBody,
  bodyExamples: {
    failed: { summary: 'Failed messages', value: { scope: 'failed' } },
    missing: {
      summary: 'Recipients skipped because of a missing value',
      value: { scope: 'skipped', codes: ['variable_missing'] },
    },
  },
  takesIdempotencyKey: 'within',
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The recipients are waiting again.',
    schema: viewOf('Recipients that are retried.', {
      retried: Type.Integer({ description: 'Number of recipients that are waiting again.' }),
      campaign: CampaignView,
    }),
    example: { retried: 2, campaign: { ...runningExample, version: 4 } },
    headers: ['ETag'],
  },
  errorExamples: [
    stateExample('The campaign is canceled. Only a campaign that is completed or paused can be retried.'),
    stale,
  ],
  handle:
    ({ rt, db }) =>
    async (request, reply, once) => {
      const { scopes: granted } = principalOf(request);
      requireGranted({ granted }, scopesOfCampaign({ hasAudience: false }));
      const { id: campaignId, ...requester } = itemRequest(request);
      const { scope, codes = null } = request.body;
      return once.run(async () => {
        const retried = await retryCampaign(rt, db, { ...requester, campaignId }, { scope, codes });
        tagVersion(reply, retried.campaign.version);
        return { retried: retried.retried, campaign: presentCampaign(retried.campaign) };
      });
    },
});

/** In the order of the documentation. */
export const campaignRunOperations: readonly Operation[] = [
  listCampaignRecipientsRoute,
  preflightCampaignRoute,
  startCampaignRoute,
  pauseCampaignRoute,
  resumeCampaignRoute,
  cancelCampaignRoute,
  retryCampaignRoute,
];
