import { makeFlow } from '#testing/test-flows';
import { expectStatus, type Scene, type Stage } from './scenes.ts';

/** Of the tenant that templates and flows are shown with. */
const ACCOUNT = '300400500600';
/** Names in the examples of bodies: an account has each once. */
const NAMES: readonly string[] = ['appointment', 'booking', 'appointment_2'];

const draft: Scene = ({ tenant }) => makeFlow(tenant, ACCOUNT);

/** What the operations about a flow need to succeed. */
export const flowScenes: Readonly<Record<string, Scene>> = {
  getFlow: draft,
  updateFlow: draft,
  setFlowJson: draft,
  publishFlow: draft,
  deprecateFlow: async (stage) => {
    const id = await draft(stage);
    expectStatus(await stage.tenant.call('POST', `/v1/flows/${id}/publish`), 200);
    return id;
  },
  deleteFlow: draft,
  listFlowAnswers: draft,
};

/** What has to be gone before the examples of bodies can be sent again. */
export const flowPreludes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  createFlow: withoutNames,
  updateFlow: withoutNames,
};

async function withoutNames({ tenant }: Stage): Promise<void> {
  const { data } = (await tenant.call('GET', `/v1/flows?limit=1000&network_account_id=${ACCOUNT}`)).body;
  for (const { id, name } of data) {
    if (NAMES.includes(name)) expectStatus(await tenant.call('DELETE', `/v1/flows/${id}`), 200);
  }
}
