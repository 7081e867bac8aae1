import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLE_TYPES } from '#imports/http/table-body';
import { callbackBody, inboundText, ingest } from '#testing/test-callbacks';
import { PAYMENT_CONFIG } from '#testing/test-payments';
import { type Answer, startTestService, type TestServiceOptions } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';
import { type Call, send } from './calls.ts';
import type { Described } from './described.ts';
import type { Provocation } from './provocations.ts';
import { madeTemplate, readyCall, type Stage, uploadedMedia } from './scenes.ts';
import { callTo, templateWithSample } from './template-provocations.ts';

/** Where nothing listens. */
const NOBODY = 'http://127.0.0.1:1';

/**
 * A service in bad shape: its network is away, nobody asks for handles, and the gateway refuses payments, because
 * it is told a wrong address to come back to.
 * @param clock its steady time should run fast, so that what waits for the network gives up soon
 */
export async function ailingStage(options: Pick<TestServiceOptions, 'clock'>): Promise<Stage> {
  const config = { ...PAYMENT_CONFIG, roles: 'api,receiver,ingester', networkUrl: NOBODY, paymentReturnUrl: 'nowhere' };
  const kit = await startTestService({ ...options, config });
  return { kit, tenant: await makeTestTenant(kit, { networkAccountId: '300400500600' }) };
}

/** What only such a service answers, by the names of the examples. */
export const ailingProvocations: Readonly<Record<string, Provocation>> = {
  'markMessageRead networkUnreachable': async ({ stage: { kit, tenant }, operation, perform }) => {
    const messages = [inboundText('wamid.written', freshPhone())];
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
    const [{ id }] = (await tenant.call('GET', '/v1/messages/inbound')).body.data;
    return perform(callTo(operation, id));
  },
  'submitTemplate networkUnreachable': async ({ perform, ready }) => perform(await ready()),
  'submitTemplate handleUnavailable': async ({ stage, operation, perform }) =>
    perform(callTo(operation, await templateWithSample(stage, await uploadedMedia(stage)))),
  'setNumberPicture handleUnavailable': async ({ perform, ready }) => perform(await ready()),
  'deleteTemplate networkUnreachable': async ({ stage, operation, perform }) => {
    const id = await madeTemplate(stage);
    const text = "update templates set network_template_id = '1' where template_id = $1";
    await stage.kit.service.db.run({ name: 'test_handed_in', text }, [id]);
    return perform(callTo(operation, id));
  },
  'createResumableUpload handleUnavailable': async ({ perform, ready }) => perform(await ready()),
  'topUpWallet paymentRefused': async ({ perform, ready }) => perform(await ready()),
};

/** Makes calls that would succeed, takes the folder of media away, and only then sends them. */
export async function withoutMediaStore(stage: Stage, operations: readonly Described[]): Promise<readonly Answer[]> {
  const { kit, tenant } = stage;
  const calls: Call[] = [];
  for (const operation of operations) calls.push(await readyCall(stage, operation, bodyWithBytes(operation)));
  const folder = join(kit.rt.config.dataDir, 'media');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  const answers: Answer[] = [];
  for (const call of calls) answers.push(await send(kit, tenant.key, call));
  return answers;
}

/** An import can name a stored file or bring its own. */
function bodyWithBytes({ bodies }: Described) {
  return bodies.find(({ contentType }) => contentType in TABLE_TYPES) ?? bodies[0] ?? null;
}
