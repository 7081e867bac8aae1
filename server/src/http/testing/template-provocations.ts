import { uploadFile } from '#testing/media/test-media';
import { whileFailing } from '#testing/peers/failing-network';
import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { makeTestTenant } from '#testing/test-tenant';
import type { Provocation, Target } from './provocations.ts';
import { expectStatus, madeTemplate, type Stage, uploadedMedia } from './scenes.ts';

const BODY = { type: 'BODY', text: 'We have moved.' };

/** What an operation of templates stands against, by the operation and the name of the example. */
export const templateProvocations: Readonly<Record<string, Provocation>> = {
  'submitTemplate unknownMedia': async ({ stage, operation, perform }) => {
    const mediaId = await uploadedMedia(stage);
    const id = await templateWithSample(stage, mediaId);
    expectStatus(await stage.tenant.call('DELETE', `/v1/media/${mediaId}`), 200);
    return perform(callTo(operation, id));
  },
  'submitTemplate handleRefused': async ({ stage, operation, perform }) => {
    const note = { filename: 'note.txt', type: 'text/plain' };
    const answer = await uploadFile(stage.kit, stage.tenant.key, Buffer.from('plain text'), note);
    return perform(callTo(operation, await templateWithSample(stage, expectStatus(answer, 200).media_id)));
  },
  'submitTemplate unknownNetworkAccount': async ({ stage, operation, perform }) => {
    const id = await madeTemplate(stage);
    await change(stage, "update templates set network_account_id = '99' where template_id = $1", id);
    return perform(callTo(operation, id));
  },
  'submitTemplate templateEditLimit': async ({ stage, operation, perform }) => {
    const id = await madeTemplate(stage);
    await change(
      stage,
      "update templates set status = 'approved', network_template_id = '1' where template_id = $1",
      id,
    );
    const { now } = stage.kit.rt.clock;
    await change(stage, `update template_versions set edit_ms = ${now()} where template_id = $1`, id);
    return perform(callTo(operation, id));
  },
  'submitTemplate refusedByNetwork': async ({ stage, operation, perform }) => {
    const id = await madeTemplate(stage);
    return whileFailing(stage.kit, { template_create: { code: 132007 } }, () => perform(callTo(operation, id)));
  },
  'deleteTemplate refusedByNetwork': async ({ stage, operation, perform }) => {
    const id = await madeTemplate(stage);
    expectStatus(await stage.tenant.call('POST', `/v1/templates/${id}/submit`), 200);
    return whileFailing(stage.kit, { template_delete: { code: 100 } }, () => perform(callTo(operation, id)));
  },
  'deleteTemplate tokenUnreadable': async ({ stage: { kit }, operation }) => {
    const tenant = await makeTestTenant(kit);
    const { networkAccountId } = await makeSimulatedAccount(kit, true);
    const account = await linkAccount(tenant, networkAccountId);
    const id = await madeTemplate({ kit, tenant });
    await change({ kit, tenant }, "update templates set network_template_id = '1' where template_id = $1", id);
    await change(
      { kit, tenant },
      "update linked_accounts set token_key_id = 'f3a91c' where account_id = $1",
      account.id,
    );
    const { method, target } = callTo(operation, id);
    return tenant.call(method, target);
  },
};

export function callTo({ method, path }: Target['operation'], id: string) {
  return { method, target: path.replace('{id}', id), headers: {}, body: null };
}

/** A template with a picture that is shown by this media. */
export function templateWithSample(stage: Stage, mediaId: string): Promise<string> {
  const header = { type: 'HEADER', format: 'IMAGE', example: { media_id: mediaId } };
  return madeTemplate(stage, { components: [header, BODY] });
}

async function change({ kit }: Stage, text: string, id: string): Promise<void> {
  await kit.service.db.run({ name: `test_${text.slice(7, 40)}`, text }, [id]);
}
