import { freshPhone } from '#testing/test-tenant';
import { expectStatus, type Stage } from './scenes.ts';

async function madeView({ tenant }: Stage): Promise<string> {
  const when = { field: 'conversation.status', value: 'open' };
  const view = { name: `View ${freshPhone()}`, when, shared: true };
  return expectStatus(await tenant.call('POST', '/v1/views', view), 201).id;
}

export async function madeSegment({ tenant }: Stage): Promise<string> {
  const when = { field: 'contact.status', value: 'active' };
  return expectStatus(await tenant.call('POST', '/v1/segments', { name: 'All', when }), 201).id;
}

/** The name of an example is taken by a view that an earlier one made. */
export async function withoutViews({ tenant }: Stage): Promise<void> {
  const { data } = (await tenant.call('GET', '/v1/views')).body;
  for (const { id } of data) expectStatus(await tenant.call('DELETE', `/v1/views/${id}`), 200);
}

/** Views in a state in which operations on them succeed, by operation. */
export const viewScenes: Readonly<Record<string, (stage: Stage) => Promise<string>>> = {
  getView: madeView,
  updateView: madeView,
  deleteView: madeView,
};
