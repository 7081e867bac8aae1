import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  changeQrCode,
  createQrCode,
  deleteQrCode,
  listNumberQrCodes,
  type QrCodeRequest,
  readQrCode,
} from '#business/actions/manage-qr-codes';
import { MAX_QR_CODES, type QrCode } from '#business/domain/qr-code';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { choiceOf } from '#http/schemas/fields';
import { atNumber, businessRequest, numberFailures } from './number-operation.ts';
import { ChangeQrCode, CreateQrCode, QrCodeParams, QrCodeQuery, QrCodeView, qrCodeExample } from './schemas/qr-code.ts';

const ONE = 'qr-codes/:code';

const listNumberQrCodesRoute = defineOperation({
  method: 'GET',
  ...atNumber('qr-codes', 'read'),
  operationId: 'listNumberQrCodes',
  summary: 'List the QR codes of a number',
  description:
    'Returns the links and QR codes that open a chat with the number, as the network lists them: all of them, newest first, since a number has 2,000 at most.',
  query: QrCodeQuery,
  answer: {
    status: 200,
    description: 'The QR codes.',
    schema: Type.Object(
      { data: Type.Array(QrCodeView, { description: 'All QR codes of the number.', maxItems: MAX_QR_CODES }) },
      { description: 'QR codes of a number.' },
    ),
    example: { data: [{ ...qrCodeExample, image_url: null }] },
  },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const of = { tenantId: principalOf(request).tenantId, phoneNumberId: request.params.id };
      const codes = await listNumberQrCodes(business, of, request.query.image ?? null);
      return { data: codes.map(presentQrCode) };
    },
});

const createNumberQrCodeRoute = defineOperation({
  method: 'POST',
  ...atNumber('qr-codes', 'write'),
  operationId: 'createNumberQrCode',
  summary: 'Create a QR code for a number',
  description:
    'Creates a link and a QR code at the network that open a chat with the number and put a text into it. If the network does not respond, list the codes before you repeat the request: it may have made one.',
  body: CreateQrCode,
  bodyExamples: {
    order: { summary: 'With a PNG picture', value: { message: 'I would like to order flowers.', image: 'png' } },
    plain: { summary: 'With an SVG picture', value: { message: 'Hello' } },
  },
  takesIdempotencyKey: true,
  answer: { status: 201, description: 'The QR code was created.', schema: QrCodeView, example: qrCodeExample },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const { message, image = 'svg' } = request.body;
      return presentQrCode(await createQrCode(business, businessRequest(request), { message, image }));
    },
});

const getNumberQrCodeRoute = defineOperation({
  method: 'GET',
  ...atNumber(ONE, 'read'),
  operationId: 'getNumberQrCode',
  summary: 'Get a QR code of a number',
  description:
    'Returns the link of the code and the text that it puts into the chat, and with `image` a picture of it.',
  params: QrCodeParams,
  query: QrCodeQuery,
  answer: { status: 200, description: 'The QR code.', schema: QrCodeView, example: qrCodeExample },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const { id: phoneNumberId, code } = request.params;
      const of = { tenantId: principalOf(request).tenantId, phoneNumberId, code };
      return presentQrCode(await readQrCode(business, of, request.query.image ?? null));
    },
});

const updateNumberQrCodeRoute = defineOperation({
  method: 'PATCH',
  ...atNumber(ONE, 'write'),
  operationId: 'updateNumberQrCode',
  summary: 'Change the text of a QR code',
  description:
    'Changes the text that the code puts into the chat. Its link and its pictures stay the same, so what is printed still works.',
  params: QrCodeParams,
  body: ChangeQrCode,
  bodyExamples: { text: { summary: 'Another text', value: { message: 'I would like to order roses.' } } },
  answer: {
    status: 200,
    description: 'The changed QR code.',
    schema: QrCodeView,
    example: { ...qrCodeExample, message: 'I would like to order roses.', image_url: null },
  },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) =>
      presentQrCode(await changeQrCode(business, qrCodeRequest(request), request.body.message)),
});

const deleteNumberQrCodeRoute = defineOperation({
  method: 'DELETE',
  ...atNumber(ONE, 'write'),
  operationId: 'deleteNumberQrCode',
  summary: 'Delete a QR code of a number',
  description: 'Deletes the code at the network. Its link and everything that is printed of it no longer work.',
  params: QrCodeParams,
  answer: {
    status: 200,
    description: 'The QR code was deleted.',
    schema: Type.Object(
      {
        id: Type.String({ description: "The network's ID of the code." }),
        status: choiceOf(['deleted'], 'It was deleted.'),
      },
      { description: 'The QR code was deleted.' },
    ),
    example: { id: qrCodeExample.id ?? '', status: 'deleted' },
  },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      await deleteQrCode(business, qrCodeRequest(request));
      return { id: request.params.code, status: 'deleted' };
    },
});

/** In the order of the documentation. */
export const numberQrCodeOperations: readonly Operation[] = [
  listNumberQrCodesRoute,
  createNumberQrCodeRoute,
  getNumberQrCodeRoute,
  updateNumberQrCodeRoute,
  deleteNumberQrCodeRoute,
];

function qrCodeRequest(request: FastifyRequest<{ Params: { id: string; code: string } }>): QrCodeRequest {
  return { ...businessRequest(request), code: request.params.code };
}

function presentQrCode({ code, message, link, imageUrl }: QrCode): JsonObject {
  return { id: code, message, link, image_url: imageUrl };
}
