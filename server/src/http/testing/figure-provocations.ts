import { whileUnlinked } from './flow-provocations.ts';
import { type Provocation, type Target, whileStepFails } from './provocations.ts';
import { expectStatus, madeTemplate } from './scenes.ts';

const OF_NUMBERS = ['getNetworkMessageAnalytics', 'getNetworkPricingAnalytics', 'getNetworkConversationAnalytics'];
const OF_TEMPLATES = 'getNetworkTemplateAnalytics';
const REFUSED = whileStepFails({ analytics: { code: 100 } });
const CUT = whileStepFails({ analytics: { fault: 'cut' } });

/** Failures of reports of what the network counts, by operation and name of the example. */
export const figureProvocations: Readonly<Record<string, Provocation>> = {
  ...Object.fromEntries(
    OF_NUMBERS.flatMap((id) => [
      [`${id} refusedByNetwork`, REFUSED],
      [`${id} networkUnreachable`, CUT],
      [`${id} unknownPhoneNumber`, asking('phone_number_id=99')],
    ]),
  ),
  ...Object.fromEntries(
    [...OF_NUMBERS, OF_TEMPLATES].flatMap((id) => [
      [`${id} noToken`, whileUnlinked],
      [`${id} unknownNetworkAccount`, asking('network_account_id=99')],
    ]),
  ),
  [`${OF_TEMPLATES} refusedByNetwork`]: async (target) => REFUSED(await ofTemplate(target)),
  [`${OF_TEMPLATES} networkUnreachable`]: async (target) => CUT(await ofTemplate(target)),
};

function asking(query: string): Provocation {
  return async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, target: `${call.target}?${query}` });
  };
}

/** Without a template that it knows, the network is not asked. */
async function ofTemplate(target: Target): Promise<Target> {
  const { stage } = target;
  const id = await madeTemplate(stage);
  const { name } = expectStatus(await stage.tenant.call('POST', `/v1/templates/${id}/submit`), 200);
  const { ready } = target;
  const readyOfTemplate = async () => {
    const call = await ready();
    return { ...call, target: `${call.target}?template=${name}` };
  };
  return { ...target, ready: readyOfTemplate };
}
