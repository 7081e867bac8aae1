import {
  changeNumberProfile,
  readNumberProfile,
  setProfilePicture,
  UNKNOWN_PICTURE,
} from '#business/actions/change-profile';
import { type NumberProfile, type ProfileChange, pictureFault } from '#business/domain/number-profile';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { faultExample } from '#http/schemas/errors';
import { atNumber, businessRequest, numberFailures } from './number-operation.ts';
import { ChangeProfile, type ChangeProfileBody, ProfileView, profileExample, SetPicture } from './schemas/profile.ts';

const answer = (description: string) => ({ status: 200, description, schema: ProfileView, example: profileExample });

const getNumberProfileRoute = defineOperation({
  method: 'GET',
  ...atNumber('profile', 'read'),
  operationId: 'getNumberProfile',
  summary: 'Get the business profile of a number',
  description:
    'Returns what customers read about the business in the app. It is read from the network with each request, since it can be changed there too.',
  answer: answer('The profile, as the network has it now.'),
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const { tenantId } = principalOf(request);
      return presentProfile(await readNumberProfile(business, { tenantId, phoneNumberId: request.params.id }));
    },
});

const updateNumberProfileRoute = defineOperation({
  method: 'PATCH',
  ...atNumber('profile', 'write'),
  operationId: 'updateNumberProfile',
  summary: 'Update the business profile of a number',
  description:
    'Changes what customers read about the business in the app, at the network, and returns the changed profile. Nothing changes here. The request can be repeated safely if the network does not respond.',
  body: ChangeProfile,
  bodyExamples: {
    profile: {
      summary: 'About, email and websites',
      value: {
        about: 'Fresh flowers every day.',
        email: 'hello@flowers.example',
        websites: ['https://flowers.example'],
        vertical: 'retail',
      },
    },
    empty: { summary: 'Empty the address', value: { address: null } },
  },
  answer: answer('The profile with the change in it.'),
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) =>
      presentProfile(await changeNumberProfile(business, businessRequest(request), readChange(request.body))),
});

const setNumberPictureRoute = defineOperation({
  method: 'PUT',
  ...atNumber('profile/picture', 'write'),
  operationId: 'setNumberPicture',
  summary: 'Set the profile picture of a number',
  description:
    'Makes an uploaded file the picture that customers see beside the name of the business. The network cannot delete a picture; it can only be replaced.',
  body: SetPicture,
  bodyExamples: {
    picture: { summary: 'An uploaded file', value: { media_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' } },
  },
  answer: answer('The profile, with the address of the new picture.'),
  errors: ['not_found', 'handle_unavailable'],
  errorExamples: [
    ...numberFailures(),
    faultExample('unknownMedia', 'unknown_media', { path: 'body.media_id', message: UNKNOWN_PICTURE }),
    faultExample('notAPicture', 'handle_refused', {
      path: 'body.media_id',
      message: pictureFault({ mimeType: 'text/plain', size: 1 }) ?? '',
    }),
  ],
  handle:
    ({ business }) =>
    async (request) =>
      presentProfile(await setProfilePicture(business, businessRequest(request), request.body.media_id)),
});

/** In the order of the documentation. */
export const numberProfileOperations: readonly Operation[] = [
  getNumberProfileRoute,
  updateNumberProfileRoute,
  setNumberPictureRoute,
];

function readChange({ about, address, description, email, websites, vertical }: ChangeProfileBody): ProfileChange {
  const change = { about, address, description, email, websites, vertical };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function presentProfile({ pictureUrl, ...profile }: NumberProfile): JsonObject {
  const { about, address, description, email, websites, vertical } = profile;
  return { about, address, description, email, websites: [...websites], vertical, picture_url: pictureUrl };
}
