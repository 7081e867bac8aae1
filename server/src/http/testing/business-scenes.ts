import { addedNumber, expectStatus, type Scene } from './scenes.ts';

const anyNumber: Scene = (stage) => addedNumber(stage);

const withQrCode: Scene = async (stage) => {
  const id = await addedNumber(stage);
  const made = await stage.tenant.call('POST', `/v1/phone-numbers/${id}/qr-codes`, { message: 'Hello' });
  return `${id}/${expectStatus(made, 201).id}`;
};

/** What the operations about the presence of a business need to succeed. */
export const businessScenes: Readonly<Record<string, Scene>> = {
  getNumberProfile: anyNumber,
  updateNumberProfile: anyNumber,
  setNumberPicture: anyNumber,
  getNumberCommands: anyNumber,
  updateNumberCommands: anyNumber,
  listNumberQrCodes: anyNumber,
  createNumberQrCode: anyNumber,
  getNumberQrCode: withQrCode,
  updateNumberQrCode: withQrCode,
  deleteNumberQrCode: withQrCode,
  getNumberDisplayName: anyNumber,
  requestNumberDisplayName: anyNumber,
  getNumberUsername: anyNumber,
  setNumberUsername: anyNumber,
  deleteNumberUsername: anyNumber,
  setNumberPin: anyNumber,
  listNumberBlockedUsers: anyNumber,
};
