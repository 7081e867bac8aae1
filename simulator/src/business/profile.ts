/** The business profile of a number, and its picture. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { requireNumber } from '../accounts/require-account.ts';
import { fieldNames, type GraphCall, jsonParam, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { enteredOf, type Picture, type Profile } from './business-registry.ts';

const LIMITS = { about: 139, address: 256, description: 512, email: 128 } as const;
const MAX_WEBSITES = 2;
const MAX_WEBSITE = 256;
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const PICTURE_TYPES = ['image/jpeg', 'image/jpg', 'image/png'];
const VERTICALS = [
  ...['OTHER', 'AUTO', 'BEAUTY', 'APPAREL', 'EDU', 'ENTERTAIN', 'EVENT_PLAN', 'FINANCE', 'GROCERY', 'GOVT', 'HOTEL'],
  ...['HEALTH', 'NONPROFIT', 'PROF_SERVICES', 'RETAIL', 'TRAVEL', 'RESTAURANT', 'ALCOHOL', 'ONLINE_GAMBLING'],
  ...['PHYSICAL_GAMBLING', 'OTC_DRUGS', 'MATRIMONY_SERVICE'],
];
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const WEBSITE = /^https?:\/\/\S+$/;

/** The first part of the addresses of pictures. */
export const PICTURES = 'pps';

/** `GET /{version}/{phone_number_id}/whatsapp_business_profile` */
export function getProfile(sim: Simulation, call: GraphCall): JsonObject {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'profile');
  const picture = sim.business.pictureOf(phoneNumberId);
  const node: JsonObject = enteredOf({
    ...sim.business.of(phoneNumberId).profile,
    profile_picture_url: picture === null ? '' : pictureUrl(call, phoneNumberId, picture),
  });
  const { fields } = paramsOf(call);
  const wanted = typeof fields === 'string' && fields !== '' ? fieldNames(fields) : Object.keys(node);
  const selected = Object.fromEntries(Object.entries(node).filter(([name]) => wanted.includes(name)));
  return { data: [{ ...selected, messaging_product: 'whatsapp' }] };
}

/** `POST /{version}/{phone_number_id}/whatsapp_business_profile`: what is left out stays as it is. */
export async function changeProfile(sim: Simulation, call: GraphCall): Promise<JsonObject> {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'profile');
  const params = paramsOf(call);
  if (params.messaging_product !== 'whatsapp')
    refuseWith(100, "Param messaging_product is required and must be 'whatsapp'.");
  const change = readChange(params);
  const picture = await readPicture(sim, params);
  Object.assign(sim.business.of(phoneNumberId).profile, change);
  if (picture !== null) sim.business.setPicture(phoneNumberId, picture);
  return { success: true };
}

function readChange(params: JsonObject): Partial<Profile> {
  const texts = Object.entries(LIMITS).flatMap(([name, limit]) => {
    const value = params[name];
    return value === undefined || value === null ? [] : [[name, readText(name, value, limit)] as const];
  });
  const { vertical } = params;
  if (vertical !== undefined && !VERTICALS.includes(String(vertical)))
    refuseWith(100, `Param vertical must be one of {${VERTICALS.join(', ')}}.`);
  return {
    ...Object.fromEntries(texts),
    ...(vertical === undefined ? {} : { vertical: String(vertical) }),
    ...(params.websites === undefined ? {} : { websites: readWebsites(jsonParam(params, 'websites')) }),
  };
}

function readText(name: string, value: unknown, limit: number): string {
  if (typeof value !== 'string') return refuseWith(100, `Param ${name} must be a string.`);
  if ([...value].length > limit) refuseWith(100, `Param ${name} must be at most ${limit} characters long.`);
  if (name === 'about' && value === '') refuseWith(100, 'Param about must not be empty.');
  if (name === 'email' && value !== '' && !EMAIL.test(value)) refuseWith(100, 'Param email is not a valid address.');
  return value;
}

function readWebsites(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_WEBSITES)
    return refuseWith(100, `Param websites must be an array of at most ${MAX_WEBSITES} addresses.`);
  const isFit = (one: unknown): one is string =>
    typeof one === 'string' && one.length <= MAX_WEBSITE && WEBSITE.test(one);
  if (!value.every(isFit))
    return refuseWith(
      100,
      `Each of websites must begin with http:// or https:// and have at most ${MAX_WEBSITE} characters.`,
    );
  return value;
}

/** The file of a handle of the resumable upload; null when none is given. */
async function readPicture(sim: Simulation, { profile_picture_handle: handle }: JsonObject): Promise<Picture | null> {
  if (handle === undefined) return null;
  const file = typeof handle === 'string' ? sim.uploads.fileOf(handle, sim.clock.now()) : null;
  if (file === null)
    return refuseWith(100, 'Param profile_picture_handle is not a handle that was given, or has expired.');
  if (!PICTURE_TYPES.includes(file.fileType)) refuseWith(100, 'The profile picture must be a JPEG or PNG file.');
  if (file.session.fileLength > MAX_PICTURE_BYTES) refuseWith(100, 'The profile picture must not be larger than 5 MB.');
  return { mimeType: file.fileType, bytes: await readFile(file.session.file) };
}

/** Another picture has another address. */
function pictureUrl({ request }: GraphCall, phoneNumberId: string, { bytes }: Picture): string {
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return `http://${request.headers.host ?? '127.0.0.1'}/${PICTURES}/${phoneNumberId}?v=${version}`;
}

/** Answers the picture of a number; its address needs no token. */
export function sendPicture(sim: Simulation, response: ServerResponse, phoneNumberId: string): void {
  const picture = sim.business.pictureOf(phoneNumberId);
  if (picture === null) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': picture.mimeType, 'Content-Length': picture.bytes.length });
  response.end(picture.bytes);
}
