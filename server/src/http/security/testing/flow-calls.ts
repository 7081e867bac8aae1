import { flowJson } from '#testing/test-flows';
import type { CallPlan } from './calls.ts';

/** Operations about flows. */
export const flowCalls: Readonly<Record<string, CallPlan>> = {
  listFlows: { status: 200 },
  // An account of nobody; one of the tenant's own stands in the table of references.
  createFlow: { json: { name: 'made', categories: ['other'], network_account_id: '999999999999' }, status: 400 },
  getFlow: { names: { id: 'flow' }, status: 200 },
  updateFlow: { names: { id: 'flow' }, json: { categories: ['survey'] }, status: 200 },
  setFlowJson: { names: { id: 'flow' }, json: flowJson, status: 200 },
  publishFlow: { names: { id: 'flow' }, status: 200 },
  deprecateFlow: { names: { id: 'publishedFlow' }, status: 200 },
  deleteFlow: { names: { id: 'flow' }, status: 200 },
  listFlowAnswers: { names: { id: 'answeredFlow' }, status: 200 },
};
