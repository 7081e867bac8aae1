import { freshPhone } from '#testing/test-tenant';
import type { CallPlan } from './calls.ts';

/** What no media is. */
const NO_MEDIA = '0190a6f2-0000-7000-8000-00000000dead';

/** Operations about sending numbers. */
export const numberCalls: Readonly<Record<string, CallPlan>> = {
  listPhoneNumbers: { status: 200 },
  // A number of nobody; one of a linked account stands in the table of references.
  addPhoneNumber: { json: { phone_number_id: '999999999999999' }, status: 400 },
  getPhoneNumber: { names: { id: 'linkedNumber' }, status: 200 },
  updatePhoneNumber: { names: { id: 'linkedNumber' }, json: { name: 'Shop' }, status: 200 },
  syncPhoneNumber: { names: { id: 'linkedNumber' }, json: { type: 'contacts' }, status: 202 },
  deletePhoneNumber: { names: { id: 'linkedNumber' }, status: 200 },
  getNumberProfile: { names: { id: 'linkedNumber' }, status: 200 },
  updateNumberProfile: { names: { id: 'linkedNumber' }, json: { about: 'Fresh flowers' }, status: 200 },
  // A file of nobody; one of the tenant's own stands in the table of references.
  setNumberPicture: { names: { id: 'linkedNumber' }, json: { media_id: NO_MEDIA }, status: 400 },
  getNumberCommands: { names: { id: 'linkedNumber' }, status: 200 },
  updateNumberCommands: { names: { id: 'linkedNumber' }, json: { ice_breakers: ['Hello'] }, status: 200 },
  listNumberBlockedUsers: { names: { id: 'blockingNumber' }, status: 200 },
  listNumberQrCodes: { names: { id: 'linkedNumber' }, status: 200 },
  createNumberQrCode: { names: { id: 'linkedNumber' }, json: { message: 'Hello' }, status: 201 },
  getNumberQrCode: { names: { id: 'number', code: 'qrCode' }, status: 200 },
  updateNumberQrCode: { names: { id: 'number', code: 'qrCode' }, json: { message: 'Hi' }, status: 200 },
  deleteNumberQrCode: { names: { id: 'number', code: 'qrCode' }, status: 200 },
  getNumberDisplayName: { names: { id: 'linkedNumber' }, status: 200 },
  requestNumberDisplayName: { names: { id: 'linkedNumber' }, json: { name: 'Shop' }, status: 200 },
  getNumberUsername: { names: { id: 'linkedNumber' }, status: 200 },
  setNumberUsername: {
    names: { id: 'linkedNumber' },
    // Each belongs to one number.
    get json() {
      return { username: `shop.${freshPhone()}` };
    },
    status: 200,
  },
  deleteNumberUsername: { names: { id: 'linkedNumber' }, status: 200 },
  setNumberPin: { names: { id: 'linkedNumber' }, json: { pin: '246813' }, status: 200 },
};
