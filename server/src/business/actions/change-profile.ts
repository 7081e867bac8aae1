import type { NumberProfile, ProfileChange } from '#business/domain/number-profile';
import { pictureFault } from '#business/domain/number-profile';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { obtainMediaHandle } from '#media/actions/obtain-handle';
import { findMedia } from '#media/store/media';
import { auditNumber, type BusinessDeps, type BusinessRequest, reachNumber, requireAnswer } from './reach-number.ts';

/**
 * The profile of a number, as the network has it at this moment: people change it there too, so nothing of it is kept here.
 * @throws ApiProblem not_found, conflict, refused_by_network, network_unreachable
 */
export async function readNumberProfile(
  parts: BusinessDeps,
  of: { readonly tenantId: TenantId; readonly phoneNumberId: string },
): Promise<NumberProfile> {
  return requireAnswer(await parts.network.readProfile(await reachNumber(parts, of)));
}

/**
 * Changes the profile of a number at the network. It is read first, so that nothing which can fail comes after the change.
 * @returns the profile with the change in it
 * @throws ApiProblem as readNumberProfile
 */
export async function changeNumberProfile(
  parts: BusinessDeps,
  request: BusinessRequest,
  change: ProfileChange,
): Promise<NumberProfile> {
  const at = await reachNumber(parts, request);
  const before = requireAnswer(await parts.network.readProfile(at));
  requireAnswer(await parts.network.changeProfile(at, change));
  await auditNumber(parts, request, PROFILE_CHANGED, { fields: Object.keys(change) });
  return { ...before, ...change };
}

/**
 * Makes a stored file the profile picture of a number.
 * @throws ApiProblem unknown_media, handle_refused for a file that cannot be one, handle_unavailable, and as readNumberProfile; after
 * the change when the network does not say where the picture is now
 */
export async function setProfilePicture(
  parts: BusinessDeps,
  request: BusinessRequest,
  mediaId: string,
): Promise<NumberProfile> {
  const at = await reachNumber(parts, request);
  await requirePicture(parts, request.tenantId, mediaId);
  const handle = await obtainMediaHandle(parts, request.tenantId, mediaId, PLACE);
  requireAnswer(await parts.network.setPicture(at, handle));
  await auditNumber(parts, request, PROFILE_CHANGED, { fields: ['picture'] });
  const after = await parts.network.readProfile(at);
  if (after.ok) return after.value;
  throw new ApiProblem('network_unreachable', { sentence: PICTURE_NOT_READ });
}

const PROFILE_CHANGED = 'number.profile_changed';
const PLACE = 'body.media_id';
const PICTURE_NOT_READ =
  'The picture was changed, but the network did not respond when the profile was read afterwards. Read it again.';

async function requirePicture({ rt, db }: BusinessDeps, tenantId: TenantId, mediaId: string): Promise<void> {
  const media = await findMedia(db, tenantId, mediaId.toLowerCase(), rt.clock.now());
  const fault = media === null ? null : pictureFault(media);
  if (media === null) throw refusedFile('unknown_media', UNKNOWN_PICTURE);
  if (fault !== null) throw refusedFile('handle_refused', fault);
}

/** The refusal of a picture that names no stored media. */
export const UNKNOWN_PICTURE = 'media_id does not exist or has expired. Upload the file again.';

function refusedFile(code: 'unknown_media' | 'handle_refused', sentence: string): ApiProblem {
  return new ApiProblem(code, { sentence, details: [{ path: PLACE, message: sentence }] });
}
