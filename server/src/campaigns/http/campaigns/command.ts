import { requireGranted } from '#access/actions/require-granted';
import { type CampaignCommand, commandCampaign } from '#campaigns/actions/move-campaign';
import { presentCampaign } from '#campaigns/http/present/campaign';
import {
  CampaignParams,
  CampaignView,
  campaignExample,
  runningExample,
  staleCampaignExample,
  stateExample,
} from '#campaigns/http/schemas/campaign';
import { unknownSegmentExample } from '#campaigns/http/schemas/campaign-audience';
import { defineOperation, type Operation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { NoBody } from '#http/schemas/parameters';
import { scopesOfCampaign } from '#rules/domain/effect-scopes';

interface CommandWords extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly example: Operation['answer']['example'];
  /** The states that allow it, as refusals name them. */
  readonly only: string;
  readonly past: string;
}

/** After these, messages leave. */
const LEADS_TO_SENDS: readonly CampaignCommand[] = ['start', 'resume'];

/** The commands differ in their words, and in the state that they lead to. */
function commandRoute(command: CampaignCommand, words: CommandWords): Operation {
  const { example, only, past, ...said } = words;
  const sends = LEADS_TO_SENDS.includes(command);
  return defineOperation({
    method: 'POST',
    path: `/v1/campaigns/:id/${command}`,
    ...said,
    tag: 'Campaigns',
    scope: 'campaigns:write',
    params: CampaignParams,
    body: NoBody,
    takesIdempotencyKey: 'within',
    requestHeaders: [ifMatchHeader],
    sends,
    answer: {
      status: 200,
      description: 'The updated campaign.',
      schema: CampaignView,
      example,
      headers: ['ETag', 'Idempotent-Replayed'],
    },
    errors: [
      'not_found',
      'precondition_failed',
      'campaign_state',
      ...(command === 'start' ? (['campaign_empty', 'campaign_full', 'unknown_segment'] as const) : []),
    ],
    errorExamples: [
      stateExample(`The campaign is canceled; only one that is ${only} can be ${past}.`),
      staleCampaignExample,
      ...(command === 'start' ? [unknownSegmentExample] : []),
    ],
    handle: ({ rt, db }) => {
      return async (request, _reply, once) => {
        const { tenantId, scopes: granted } = principalOf(request);
        if (sends) requireGranted({ granted }, scopesOfCampaign({ hasAudience: false }));
        const { id: campaignId } = request.params;
        const asked = { tenantId, campaignId, origin: originOf(request), versions: matchingVersions(request) };
        return once.run(async () => {
          const campaign = await commandCampaign(rt, db, asked, command);
          return presentCampaign(campaign);
        });
      };
    },
  });
}

export const startCampaign = commandRoute('start', {
  operationId: 'startCampaign',
  only: 'draft or scheduled or preparing',
  past: 'started',
  summary: 'Start a campaign',
  description:
    'Starts the campaign now, or at its `send_at`. The contacts of its audience become recipients first, up to 1000000 (`preparing`). From this point on, neither the audience nor the template changes, whatever happens to the segment. The messages have the lowest priority and are queued two seconds ahead of the sending number, so other messages overtake them.',
  example: runningExample,
});

export const pauseCampaign = commandRoute('pause', {
  operationId: 'pauseCampaign',
  only: 'preparing or running',
  past: 'paused',
  summary: 'Pause a campaign',
  description:
    'Pauses the campaign. No more messages are queued; messages that are already queued, about two seconds of them, are still sent.',
  example: { ...runningExample, status: 'paused', pause_reason: 'Paused over the API.', version: 3 },
});

export const resumeCampaign = commandRoute('resume', {
  operationId: 'resumeCampaign',
  only: 'paused',
  past: 'resumed',
  summary: 'Resume a campaign',
  description:
    'Continues the campaign where it was paused. Recipients who already got a message do not get a second one. The counts of the circuit breaker are reset.',
  example: { ...runningExample, version: 4 },
});

export const cancelCampaign = commandRoute('cancel', {
  operationId: 'cancelCampaign',
  only: 'draft or scheduled or preparing or running or paused',
  past: 'canceled',
  summary: 'Cancel a campaign',
  description: 'Cancels the campaign permanently. Messages that are still waiting in the queue are canceled too.',
  example: { ...campaignExample, status: 'canceled', version: 2, finished_at: '2030-01-01T09:05:00.000Z' },
});
