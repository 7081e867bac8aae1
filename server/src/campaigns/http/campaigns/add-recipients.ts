import { addCampaignRecipients } from '#campaigns/actions/manage-campaigns';
import { AddedRecipientsView, AddRecipients, CampaignParams, onlyDraftExample } from '#campaigns/http/schemas/campaign';
import type { NewRecipient } from '#campaigns/store/campaign-recipients';
import { parsePhone } from '#core/phone/phone';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';

/** A thousand recipients with some variables each. */
const MAX_BYTES = 2 * 1024 * 1024;

export const addCampaignRecipientsRoute = defineOperation({
  method: 'POST',
  path: '/v1/campaigns/:id/recipients',
  operationId: 'addCampaignRecipients',
  summary: 'Add recipients to a draft campaign',
  description:
    'Adds recipients, up to 1000 at a time and 1000000 in total. A number that is already a recipient is counted and left as it is: each gets at most one message.',
  tag: 'Campaigns',
  scope: 'campaigns:write',
  params: CampaignParams,
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
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'campaign_state', 'campaign_full'],
  errorExamples: [onlyDraftExample],
  handle: () => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const recipients = readRecipients(request.body.recipients);
      const asked = { tenantId, campaignId: request.params.id, versions: null };
      return once.change(
        (db) => addCampaignRecipients(db, asked, recipients),
        (added) => ({ ...added }),
      );
    };
  },
});

interface RecipientBody {
  readonly to: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** @throws ApiProblem validation_failed that names every number that cannot be one */
function readRecipients(bodies: readonly RecipientBody[]): readonly NewRecipient[] {
  const parsed = bodies.map(({ to, variables }) => ({ phone: parsePhone(to), variables: variables ?? null }));
  const faults = parsed.flatMap(({ phone }, index) =>
    phone.ok ? [] : [{ path: `body.recipients[${index}].to`, message: `recipients[${index}].to ${phone.reason}.` }],
  );
  if (faults.length > 0) throw problemOf(faults);
  return parsed.flatMap(({ phone, variables }) => (phone.ok ? [{ phone: phone.phone, variables }] : []));
}
