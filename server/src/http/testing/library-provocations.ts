import { makeTestTenant } from '#testing/test-tenant';
import { whileUnlinked } from './flow-provocations.ts';
import { type Provocation, whileStepFails } from './provocations.ts';

const ASKING = ['listTemplateLibrary', 'createTemplateFromLibrary'];
const BAD_PARAMETER = 100;

/** Failures of what is asked of the network's template library, by operation and name of the example. */
export const libraryProvocations: Readonly<Record<string, Provocation>> = {
  ...Object.fromEntries(
    ASKING.flatMap((id) => [
      [`${id} noToken`, whileUnlinked],
      [`${id} refusedByNetwork`, whileStepFails({ template_library: { code: BAD_PARAMETER } })],
      [`${id} networkUnreachable`, whileStepFails({ template_library: { fault: 'cut' } })],
    ]),
  ),
  'listTemplateLibrary noAccount': async ({ stage: { kit }, operation }) => {
    const tenant = await makeTestTenant(kit);
    return tenant.call(operation.method, operation.path);
  },
  'createTemplateFromLibrary unknownNetworkAccount': withFields({ network_account_id: '99' }),
  'createTemplateFromLibrary unknownEntry': withFields({ language: 'de' }),
  'createTemplateFromLibrary otherButtons': withFields({ buttons: [] }),
  'createTemplateFromLibrary sameName': async (target) => {
    await target.perform(await target.ready());
    return withFields({ library_template: 'payment_received', buttons: [] })(target);
  },
};

function withFields(fields: object): Provocation {
  return async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, body: JSON.stringify({ ...JSON.parse(String(call.body)), ...fields }) });
  };
}
