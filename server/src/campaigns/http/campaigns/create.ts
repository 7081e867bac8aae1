import { requireGranted } from '#access/actions/require-granted';
import type { CampaignInput } from '#campaigns/actions/manage-campaigns';
import { checkCampaign, createCampaign } from '#campaigns/actions/manage-campaigns';
import { presentCampaign } from '#campaigns/http/present/campaign';
import {
  CampaignView,
  CreateCampaign,
  type CreateCampaignBody,
  campaignExample,
  namesErrorExamples,
} from '#campaigns/http/schemas/campaign';
import { unknownSegmentExample } from '#campaigns/http/schemas/campaign-audience';
import type { PhoneNumberId } from '#core/ids';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { unknownNumberExample } from '#http/schemas/examples';
import { parseRfc3339 } from '#http/validation/rfc3339';
import { scopesOfCampaign } from '#rules/domain/effect-scopes';
import { audienceAndBreaker } from './read-audience.ts';

const CREATED = 201;

export const createCampaignRoute = defineOperation({
  method: 'POST',
  path: '/v1/campaigns',
  operationId: 'createCampaign',
  summary: 'Create a campaign',
  description:
    'Creates a draft: add recipients or an audience, then start it. Texts of the template can contain placeholders: `{{code}}` for a variable of the recipient, and `{{contact.name|there}}` or `{{contact.attributes.city}}` for what is known about the contact. The text after a bar is used when the value is missing. The key also needs messages:write, and contacts:read for an audience.',
  tag: 'Campaigns',
  scope: 'campaigns:write',
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
      summary: 'For everyone with a tag',
      value: {
        name: 'Spring sale',
        template: { name: 'spring_sale', language: 'en' },
        audience: { when: { field: 'contact.tags', match: 'has', value: 'VIP' } },
        breaker: { percent: 30, of: 100 },
      },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: CREATED,
    description: 'The draft.',
    schema: CampaignView,
    example: campaignExample,
    headers: ['ETag', 'Idempotent-Replayed'],
  },
  errors: ['unknown_phone_number', 'unknown_media', 'media_not_sendable', 'unknown_segment'],
  errorExamples: [unknownNumberExample, ...namesErrorExamples, unknownSegmentExample],
  handle: ({ rt, db, checks }) => {
    return async (request, _reply, once) => {
      const { tenantId, scopes: granted } = principalOf(request);
      requireGranted({ granted }, scopesOfCampaign({ hasAudience: Boolean(request.body.audience) }));
      const { audience, breaker } = await audienceAndBreaker(db, tenantId, request.body);
      const wish = { ...readRequest(request.body), audience, breaker };
      await checkCampaign(checks, tenantId, wish);
      const asked = { tenantId, origin: originOf(request) };
      return once.change((database) => createCampaign(rt, database, asked, wish), presentCampaign);
    };
  },
});

function readRequest(body: CreateCampaignBody): Omit<CampaignInput, 'audience' | 'breaker'> {
  return {
    name: body.name,
    template: body.template,
    phoneNumberId: (body.phone_number_id ?? null) as PhoneNumberId | null,
    sendAtMs: body.send_at === undefined ? null : parseRfc3339(body.send_at),
  };
}
