import type { Simulation } from '../simulation.ts';
import { badRequest, type ControlAnswer, type ControlCall } from './answer.ts';
import { postCalls } from './calls.ts';
import { getChaos, putChaos } from './chaos.ts';
import { getClock, postClock } from './clock.ts';
import { getConfig, putConfig } from './config.ts';
import { postEcho } from './echo.ts';
import { getFailures, putFailures } from './failures.ts';
import { InputError } from './fields.ts';
import { listAllFlows, updateFlow } from './flows.ts';
import { actOnGateway, getGateway, putGateway } from './gateway.ts';
import { getHealth } from './health.ts';
import { postInbound } from './inbound.ts';
import { getMediaFile, listMedia, putMedia } from './media.ts';
import { getMessages } from './messages.ts';
import { getNumbers, postNumbers } from './numbers.ts';
import { pageRoutes } from './page.ts';
import { postPast } from './past.ts';
import { getBehavior, postRead, putBehavior } from './phone-behavior.ts';
import { getPhone, getPhones } from './phones.ts';
import { postReset } from './reset.ts';
import { getStats } from './stats.ts';
import { getReview, listAllTemplates, putReview, updateTemplate } from './templates.ts';
import { issueToken, listTokens, revokeTokens } from './tokens.ts';
import { listUploads } from './uploads.ts';

type Handler = (sim: Simulation, call: ControlCall) => ControlAnswer | Promise<ControlAnswer>;

/** Every control endpoint. */
const ROUTES: Readonly<Record<string, Handler>> = {
  ...pageRoutes,
  'GET /_sim/health': getHealth,
  'GET /_sim/messages': getMessages,
  'GET /_sim/stats': getStats,
  'POST /_sim/reset': postReset,
  'POST /_sim/inbound': postInbound,
  'POST /_sim/calls': postCalls,
  'POST /_sim/echo': postEcho,
  'POST /_sim/past': postPast,
  'GET /_sim/chaos': getChaos,
  'PUT /_sim/chaos': putChaos,
  'GET /_sim/config': getConfig,
  'PUT /_sim/config': putConfig,
  'GET /_sim/failures': getFailures,
  'PUT /_sim/failures': putFailures,
  'GET /_sim/uploads': listUploads,
  'GET /_sim/templates': listAllTemplates,
  'POST /_sim/templates': updateTemplate,
  'GET /_sim/templates/review': getReview,
  'PUT /_sim/templates/review': putReview,
  'GET /_sim/flows': listAllFlows,
  'POST /_sim/flows': updateFlow,
  'GET /_sim/media': listMedia,
  'PUT /_sim/media': putMedia,
  'GET /_sim/media/file': getMediaFile,
  'GET /_sim/clock': getClock,
  'POST /_sim/clock': postClock,
  'GET /_sim/numbers': getNumbers,
  'POST /_sim/numbers': postNumbers,
  'GET /_sim/tokens': listTokens,
  'POST /_sim/tokens': issueToken,
  'POST /_sim/tokens/revoke': revokeTokens,
  'GET /_sim/gateway': getGateway,
  'PUT /_sim/gateway': putGateway,
  'POST /_sim/gateway': actOnGateway,
  'GET /_sim/phones': getPhones,
  'GET /_sim/phone': getPhone,
  'GET /_sim/phone/behavior': getBehavior,
  'PUT /_sim/phone/behavior': putBehavior,
  'POST /_sim/phone/read': postRead,
};

/** Answers one control request; input faults become 400, unknown addresses 404 with the list of what there is. */
export async function handleControl(sim: Simulation, call: ControlCall): Promise<ControlAnswer> {
  const path = call.url.split('?', 1)[0] ?? '';
  const handler = Object.hasOwn(ROUTES, `${call.method} ${path}`) ? ROUTES[`${call.method} ${path}`] : undefined;
  if (handler === undefined) {
    return { status: 404, body: { error: 'No such control endpoint.', endpoints: Object.keys(ROUTES) } };
  }
  try {
    return await handler(sim, call);
  } catch (error) {
    if (error instanceof InputError) return badRequest(error.message);
    throw error;
  }
}
