import { uploadFile } from '#testing/media/test-media';
import { makeCampaign } from '#testing/test-campaign';
import type { Call } from './calls.ts';
import type { Described } from './described.ts';
import { type Provocation, type Target, UNKNOWN_ID } from './provocations.ts';
import { expectStatus } from './scenes.ts';

const name = 'Refused';
const template = { name: 'order_shipped', language: 'en' };

/** Failures of campaigns, by their operation and the name of the example. */
export const campaignProvocations: Readonly<Record<string, Provocation>> = {
  ...ofDrafts('createCampaign', { name, template }),
  ...ofDrafts('updateCampaign', { template }),
  'updateCampaign campaignState': whenCanceled({ name }),
  'deleteCampaign campaignState': whenCanceled(null),
  'addCampaignRecipients campaignState': whenCanceled({ recipients: [{ to: '447700900123' }] }),
  'addCampaignRecipients campaignFull': async ({ stage, operation, perform }) => {
    const id = await makeCampaign(stage.kit, stage.tenant);
    const text = 'update campaigns set total = 1000000 where campaign_id = $1';
    await stage.kit.service.db.run({ name: 'test_full_campaign', text }, [id]);
    return perform(jsonCall(operation, id, { recipients: [{ to: '447700900123' }] }));
  },
  'createCampaignImport campaignState': whenCanceled({ media_id: UNKNOWN_ID }),
  'createCampaignImport unknownMedia': (target) => drafting(target, { media_id: UNKNOWN_ID }),
  'preflightCampaign unknownSegment': withoutSegment,
  'startCampaign unknownSegment': withoutSegment,
  'startCampaign campaignFull': async ({ stage, operation, perform }) => {
    const id = await campaignForAll(stage);
    const text = 'update campaigns set total = 1000000 where campaign_id = $1';
    await stage.kit.service.db.run({ name: 'test_full_campaign', text }, [id]);
    return perform(jsonCall(operation, id, null));
  },
  'startCampaign campaignState': whenCanceled(null),
  'startCampaign campaignEmpty': async ({ stage, operation, perform }) => {
    const made = expectStatus(await stage.tenant.call('POST', '/v1/campaigns', { name, template }), 201);
    return perform(jsonCall(operation, made.id, null));
  },
  'pauseCampaign campaignState': whenCanceled(null),
  'resumeCampaign campaignState': whenCanceled(null),
  'cancelCampaign campaignState': whenCanceled(null),
  'retryCampaign campaignState': whenCanceled({ scope: 'failed' }),
};

/** A draft for everyone in a segment, of which there is somebody. */
async function campaignForAll({ tenant }: Target['stage'], remove = false): Promise<string> {
  await tenant.call('POST', '/v1/contacts?on_conflict=update', { phone: '447700900123' });
  const when = { field: 'contact.status', value: 'active' };
  const { id: segment_id } = expectStatus(await tenant.call('POST', '/v1/segments', { name: 'All', when }), 201);
  const draft = { name, template, audience: { segment_id } };
  const { id } = expectStatus(await tenant.call('POST', '/v1/campaigns', draft), 201);
  if (remove) expectStatus(await tenant.call('DELETE', `/v1/segments/${segment_id}`), 200);
  return id;
}

async function withoutSegment({ stage, operation, perform }: Target) {
  return perform(jsonCall(operation, await campaignForAll(stage, true), null));
}

function whenCanceled(body: object | null): Provocation {
  return async ({ stage, operation, perform }) =>
    perform(jsonCall(operation, await makeCampaign(stage.kit, stage.tenant, 'canceled'), body));
}

/** What a draft may name, and may not. */
function ofDrafts(operationId: string, draft: object): Readonly<Record<string, Provocation>> {
  const withImage = (mediaId: string) => {
    const parameters = [{ type: 'image', image: { media_id: mediaId } }];
    return { ...draft, template: { ...template, components: [{ type: 'header', parameters }] } };
  };
  return {
    [`${operationId} unknownSegment`]: (target) => drafting(target, { ...draft, audience: { segment_id: UNKNOWN_ID } }),
    [`${operationId} unknownPhoneNumber`]: (target) => drafting(target, { ...draft, phone_number_id: '99' }),
    [`${operationId} unknownMedia`]: (target) => drafting(target, withImage(UNKNOWN_ID)),
    [`${operationId} mediaNotSendable`]: async (target) => {
      const { kit, tenant } = target.stage;
      const note = Buffer.from('plain text');
      const answer = await uploadFile(kit, tenant.key, note, { filename: 'note.txt', type: 'text/plain' });
      return drafting(target, withImage(expectStatus(answer, 200).media_id));
    },
  };
}

async function drafting({ stage, operation, perform }: Target, body: object) {
  const id = operation.path.includes('{id}') ? await makeCampaign(stage.kit, stage.tenant) : '';
  return perform(jsonCall(operation, id, body));
}

function jsonCall({ method, path }: Described, id: string, body: object | null): Call {
  const headers = body === null ? {} : { 'content-type': 'application/json' };
  return { method, target: path.replace('{id}', id), headers, body: body === null ? null : JSON.stringify(body) };
}
