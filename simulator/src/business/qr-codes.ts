/** `/{version}/{phone_number_id}/message_qrdls`: links and QR codes that open a chat with a text in it. */
import { randomBytes } from 'node:crypto';
import { requireNumber } from '../accounts/require-account.ts';
import { fieldNames, type GraphCall, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import { pageOf } from '../graph/paging.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { QrCode } from './business-registry.ts';

/** The edge; behind a slash it may have the code of one. */
export const QR_CODES = 'message_qrdls';

const MAX_CODES = 2_000;
const MAX_MESSAGE = 140;
const IMAGE_FORMATS = ['PNG', 'SVG'];
const IMAGE_FIELD = /qr_image_url(?:\.format\((\w+)\))?/;

/** All of a number, or the one that the address names; an unknown code is an empty list. */
export function listQrCodes(sim: Simulation, call: GraphCall): JsonObject {
  const codes = codesOf(sim, call);
  const code = codeIn(call) ?? paramsOf(call).code;
  const wanted = code === undefined ? codes : codes.filter((one) => one.code === code);
  const { items, paging } = pageOf(
    call,
    wanted.map((one) => ({ ...one, id: one.code })),
    paramsOf(call),
  );
  return { data: items.map((one) => node(one, call)), ...(code === undefined ? { paging } : {}) };
}

/** Makes a code, or with `code` changes the text of one. */
export function saveQrCode(sim: Simulation, call: GraphCall): JsonObject {
  const codes = codesOf(sim, call);
  const { code, prefilled_message: message, generate_qr_image: format } = paramsOf(call);
  if (typeof message !== 'string' || message === '') return refuseWith(100, 'Param prefilled_message is required.');
  if ([...message].length > MAX_MESSAGE)
    refuseWith(100, `Param prefilled_message must be at most ${MAX_MESSAGE} characters long.`);
  if (format !== undefined && !IMAGE_FORMATS.includes(String(format)))
    refuseWith(100, `Param generate_qr_image must be one of {${IMAGE_FORMATS.join(', ')}}.`);
  if (code === undefined) return made(sim, codes, message, format);
  const known = codes.find((one) => one.code === code);
  if (known === undefined) return refuseWith(100, 'Param code does not name a QR code of this number.');
  known.message = message;
  return shown(known);
}

function made(sim: Simulation, codes: QrCode[], message: string, format: unknown): JsonObject {
  if (codes.length >= MAX_CODES) refuseWith(100, `A number can have at most ${MAX_CODES} QR codes.`);
  const qrCode = { code: randomBytes(7).toString('hex').toUpperCase(), createdAtMs: sim.clock.now(), message };
  codes.unshift(qrCode);
  return { ...shown(qrCode), ...(format === undefined ? {} : { qr_image_url: imageUrl(qrCode, String(format)) }) };
}

/** `DELETE /{version}/{phone_number_id}/message_qrdls/{code}` */
export function deleteQrCode(sim: Simulation, call: GraphCall): JsonObject {
  const codes = codesOf(sim, call);
  const place = codes.findIndex(({ code }) => code === codeIn(call));
  if (place < 0) return refuseWith(100, 'The address does not name a QR code of this number.');
  codes.splice(place, 1);
  return { success: true };
}

function codesOf(sim: Simulation, call: GraphCall): QrCode[] {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'qr_codes');
  return sim.business.of(phoneNumberId).qrCodes;
}

function codeIn({ path }: GraphCall): string | undefined {
  return path.edge.split('/')[1];
}

function shown({ code, message }: QrCode): JsonObject {
  return { code, prefilled_message: message, deep_link_url: `https://wa.me/message/${code}` };
}

/** Further fields come when they are asked for. */
function node(qrCode: QrCode, call: GraphCall): JsonObject {
  const { fields } = paramsOf(call);
  const asked = typeof fields === 'string' ? fields : '';
  const image = IMAGE_FIELD.exec(asked);
  return {
    ...shown(qrCode),
    ...(fieldNames(asked).includes('creation_time') ? { creation_time: Math.floor(qrCode.createdAtMs / 1000) } : {}),
    ...(image === null ? {} : { qr_image_url: imageUrl(qrCode, image[1] ?? 'SVG') }),
  };
}

/** It has the form of the network's own, and leads nowhere. */
function imageUrl({ code }: QrCode, format: string): string {
  return `https://scontent.example/qr/${code}.${format.toLowerCase()}`;
}
