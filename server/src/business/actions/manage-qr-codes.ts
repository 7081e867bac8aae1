import type { NumberAtNetwork } from '#business/domain/business-network';
import type { QrCode, QrImageFormat } from '#business/domain/qr-code';
import { requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import { auditNumber, type BusinessDeps, type BusinessRequest, reachNumber, requireAnswer } from './reach-number.ts';

interface OfNumber {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
}

/** A request about one code of a number. */
export interface QrCodeRequest extends BusinessRequest {
  readonly code: string;
}

/**
 * All codes of a number, as the network lists them.
 * @param image the form of the pictures that they come with; null: none
 * @throws ApiProblem not_found, conflict, refused_by_network, network_unreachable
 */
export async function listNumberQrCodes(
  parts: BusinessDeps,
  of: OfNumber,
  image: QrImageFormat | null,
): Promise<readonly QrCode[]> {
  return requireAnswer(await parts.network.listQrCodes(await reachNumber(parts, of), image));
}

/** One code of a number. @throws ApiProblem as listNumberQrCodes */
export async function readQrCode(
  parts: BusinessDeps,
  of: OfNumber & { readonly code: string },
  image: QrImageFormat | null,
): Promise<QrCode> {
  return requireQrCode(parts, await reachNumber(parts, of), of.code, image);
}

/**
 * Makes a code. Whether a request that the network did not answer made one is seen in the list.
 * @throws ApiProblem as listNumberQrCodes
 */
export async function createQrCode(
  parts: BusinessDeps,
  request: BusinessRequest,
  { message, image }: { readonly message: string; readonly image: QrImageFormat },
): Promise<QrCode> {
  const made = requireAnswer(await parts.network.createQrCode(await reachNumber(parts, request), message, image));
  await auditNumber(parts, request, 'qr_code.created', { code: made.code });
  return made;
}

/** Changes the text that a code puts into the chat: its link stays the same. @throws ApiProblem as listNumberQrCodes */
export async function changeQrCode(parts: BusinessDeps, request: QrCodeRequest, message: string): Promise<QrCode> {
  const { code } = request;
  const at = await reachNumber(parts, request);
  await requireQrCode(parts, at, code, null);
  const changed = requireAnswer(await parts.network.changeQrCode(at, code, message));
  await auditNumber(parts, request, 'qr_code.changed', { code });
  return changed;
}

/** Its link and its pictures no longer work then. @throws ApiProblem as listNumberQrCodes */
export async function deleteQrCode(parts: BusinessDeps, request: QrCodeRequest): Promise<void> {
  const { code } = request;
  const at = await reachNumber(parts, request);
  await requireQrCode(parts, at, code, null);
  requireAnswer(await parts.network.deleteQrCode(at, code));
  await auditNumber(parts, request, 'qr_code.deleted', { code });
}

/** The network does not say clearly of a change that the code is unknown. */
async function requireQrCode(
  { network }: BusinessDeps,
  at: NumberAtNetwork,
  code: string,
  image: QrImageFormat | null,
): Promise<QrCode> {
  return requireFound(requireAnswer(await network.findQrCode(at, code, image)));
}
