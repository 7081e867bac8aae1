import Type from 'typebox';
import { requireGranted } from '#access/actions/require-granted';
import {
  addCampaignRecipients,
  type CampaignInput,
  changeCampaign,
  checkCampaign,
  createCampaign,
  readAudience,
  removeCampaign,
} from '#campaigns/actions/manage-campaigns';
import { CAMPAIGN_STATUSES, type Campaign } from '#campaigns/domain/campaign';
import { DEFAULT_BREAKER } from '#campaigns/domain/campaign-breaker';
import type { NewRecipient } from '#campaigns/store/campaign-recipients';
import { findCampaign, listCampaigns } from '#campaigns/store/campaigns';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { parseRecipient } from '#core/phone/recipient';
import type { Database } from '#database/database';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import {
  belowItem,
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { staleExample } from '#http/schemas/errors';
import { unknownNumberExample } from '#http/schemas/examples';
import { choiceOf, named, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { parseRfc3339 } from '#http/validation/rfc3339';
import { scopesOfCampaign } from '#rules/domain/effect-scopes';
import { presentCampaign } from './present/campaign.ts';
import {
  AddedRecipientsView,
  AddRecipients,
  CampaignParams,
  CampaignView,
  ChangeCampaign,
  type ChangeCampaignBody,
  CreateCampaign,
  campaignExample,
  namesErrorExamples,
  onlyDraftExample,
} from './schemas/campaign.ts';
import { unknownSegmentExample } from './schemas/campaign-audience.ts';

export const campaign: Resource<Campaign> = {
  path: '/v1/campaigns',
  name: 'Campaign',
  noun: 'campaign',
  tag: 'Campaigns',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  params: CampaignParams,
  view: CampaignView,
  example: campaignExample,
  stale: staleExample('campaign'),
  present: presentCampaign,
};

const createCampaignRoute = createOperation(campaign, {
  description:
    'Creates a draft: add recipients or an audience, then start it. Texts of the template can contain placeholders: `{{code}}` for a variable of the recipient, and `{{contact.name|there}}` or `{{contact.attributes.city}}` for what is known about the contact. The text after a bar is used when the value is missing. The key also needs messages:write, and contacts:read for an audience.',
  body: CreateCampaign,
  bodyExamples: {
    personal: {
      summary: 'A template with a name and a code',
      value: {
        name: 'Spring sale',
        template: {
          name: 'spring_sale',
          language: 'en',
          variables: { first_name: '{{contact.name|there}}', code: '{{code}}' },
        },
      },
    },
    audience: {
      summary: 'A campaign for contacts with a tag',
      value: {
        name: 'Spring sale',
        template: { name: 'spring_sale', language: 'en' },
        audience: { when: { field: 'contact.tags', match: 'has', value: 'VIP' } },
        breaker: { percent: 30, of: 100 },
      },
    },
  },
  answer: { description: 'The draft.', headers: ['ETag'] },
  failures: [unknownNumberExample, ...namesErrorExamples, unknownSegmentExample],
  create: async ({ rt, db, checks }, requester, request) => {
    const { scopes: granted } = principalOf(request);
    const { tenantId } = requester;
    const { name, template } = request.body;
    requireGranted({ granted }, scopesOfCampaign({ hasAudience: Boolean(request.body.audience) }));
    const input = { ...newCampaign, ...(await readCampaignInput(db, tenantId, request.body)), name, template };
    await checkCampaign(checks, tenantId, input);
    return createCampaign(rt, db, requester, input);
  },
});

const listCampaignsRoute = listOperation(campaign, {
  description: "Returns the tenant's campaigns, newest first.",
  query: {
    status: Type.Optional(
      withExample(choiceOf(CAMPAIGN_STATUSES, named('CampaignStatus', 'Only campaigns in this state.')), 'running'),
    ),
  },
  filter: ({ status }) => givenOnly({ status }),
  read: ({ db }, { tenantId, window, filter: { status = null } }) => listCampaigns(db, { tenantId, status }, window),
  idOf: ({ campaignId }) => campaignId,
});

const getCampaignRoute = getOperation(campaign, {
  description:
    'Returns the state of the campaign, and what happened to its recipients. The progress of their messages is in the reports: `GET /v1/analytics/summary?campaign_name=…`.',
  find: ({ db }, tenantId, id) => findCampaign(db, tenantId, id),
});

const updateCampaignRoute = updateOperation(campaign, {
  summary: 'Update a draft campaign',
  description:
    'Updates the campaign. Once it has been started, its template, audience and recipients cannot be changed.',
  body: ChangeCampaign,
  bodyExamples: { rename: { summary: 'Change the name', value: { name: 'Summer sale' } } },
  answer: { description: 'The updated draft.', example: { ...campaignExample, name: 'Summer sale', version: 2 } },
  failures: [unknownNumberExample, ...namesErrorExamples, onlyDraftExample, unknownSegmentExample],
  update: async ({ rt, db, checks }, { id: campaignId, ...requester }, request) => {
    const { scopes: granted } = principalOf(request);
    const { tenantId } = requester;
    requireGranted({ granted }, scopesOfCampaign({ hasAudience: Boolean(request.body.audience) }));
    const input = await readCampaignInput(db, tenantId, request.body);
    await checkCampaign(checks, tenantId, input);
    return changeCampaign(rt, db, { ...requester, campaignId }, input);
  },
});

const deleteCampaignRoute = deleteOperation(campaign, {
  summary: 'Delete a draft campaign',
  description: 'Deletes a draft with its recipients. A campaign that was started cannot be deleted: cancel it instead.',
  answer: { description: 'The draft was deleted.' },
  failures: [onlyDraftExample],
  remove: ({ rt, db }, { id: campaignId, ...requester }) => removeCampaign(rt, db, { ...requester, campaignId }),
});

/** A thousand recipients with some variables each. */
const MAX_BYTES = 2 * 1024 * 1024;

const addCampaignRecipientsRoute = defineOperation({
  method: 'POST',
  ...belowItem(campaign, 'recipients', 'write'),
  operationId: 'addCampaignRecipients',
  summary: 'Add recipients to a draft campaign',
  description:
    'Adds recipients, up to 1000 at a time and 1000000 in total. A number that is already a recipient is counted and left as it is: each gets at most one message.',
  body: AddRecipients,
  bodyLimit: MAX_BYTES,
  bodyExamples: {
    two: {
      summary: 'Two recipients',
      value: {
        recipients: [{ to: '447700900123', variables: { code: 'SPRING10' } }, { to: '+44 7700 900124' }],
      },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The recipients were added.',
    schema: AddedRecipientsView,
    example: { added: 2, duplicates: 0, total: 2 },
  },
  errors: ['not_found', 'campaign_full'],
  errorExamples: [onlyDraftExample],
  handle: () => async (request, _reply, once) => {
    const { tenantId } = principalOf(request);
    const recipients = readRecipients(request.body.recipients);
    const key = { tenantId, campaignId: request.params.id, versions: null };
    return once.change(
      (db) => addCampaignRecipients(db, key, recipients),
      (added) => ({ ...added }),
    );
  },
});

/** In the order of the documentation. */
export const campaignOperations: readonly Operation[] = [
  createCampaignRoute,
  listCampaignsRoute,
  getCampaignRoute,
  updateCampaignRoute,
  deleteCampaignRoute,
  addCampaignRecipientsRoute,
];

/** What a new campaign is where its body says nothing. */
const newCampaign = { phoneNumberId: null, sendAtMs: null, audience: null, breaker: DEFAULT_BREAKER };

/** What a body says of a campaign; what it leaves out is absent. @throws ApiProblem unknown_segment, validation_failed */
async function readCampaignInput(
  db: Database,
  tenantId: TenantId,
  body: ChangeCampaignBody,
): Promise<Partial<CampaignInput>> {
  const { name, template, phone_number_id: phoneNumberId, send_at: sendAt, audience, breaker } = body;
  return givenOnly({
    name,
    template,
    phoneNumberId: phoneNumberId as PhoneNumberId | undefined,
    sendAtMs: sendAt === undefined ? undefined : parseRfc3339(sendAt),
    audience:
      audience &&
      (await readAudience(db, tenantId, { segmentId: audience.segment_id?.toLowerCase(), condition: audience.when })),
    breaker: breaker && { percent: breaker.percent, of: breaker.of ?? DEFAULT_BREAKER.of },
  });
}

interface RecipientBody {
  readonly to: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** @throws ApiProblem validation_failed that names every recipient that cannot be one */
function readRecipients(bodies: readonly RecipientBody[]): readonly NewRecipient[] {
  const parsed = bodies.map(({ to, variables }) => ({ read: parseRecipient(to), variables: variables ?? null }));
  const faults = parsed.flatMap(({ read }, index) =>
    read.ok ? [] : [{ path: `body.recipients[${index}].to`, message: `recipients[${index}].to ${read.reason}.` }],
  );
  if (faults.length > 0) throw problemOf(faults);
  return parsed.flatMap(({ read, variables }) => (read.ok ? [{ phone: read.recipient, variables }] : []));
}
