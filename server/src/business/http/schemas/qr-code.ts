import Type from 'typebox';
import { PhoneNumberParams } from '#accounts/http/schemas/phone-number';
import { MAX_QR_MESSAGE, qrImageFormats } from '#business/domain/qr-code';
import type { JsonObject } from '#core/json';
import {
  choiceOf,
  named,
  nullableText,
  PATTERN_SENTENCE,
  queryOf,
  strictObject,
  text,
  withExample,
} from '#http/schemas/fields';

const MAX_CODE = 64;
const CODE = { pattern: '^[A-Za-z0-9_-]+$', [PATTERN_SENTENCE]: 'must be the ID of a QR code' };
const MESSAGE = 'Text that the code puts into the chat, for the customer to send.';
const exampleCode = '4O4YGZEG3RIVE1';

export const QrCodeView = Type.Object(
  {
    id: Type.String({ description: "The network's ID of the code." }),
    message: Type.String({ description: MESSAGE }),
    link: Type.String({ description: 'Link that opens the chat. It stays the same when the message is changed.' }),
    image_url: nullableText('Picture of the QR code, drawn by the network. Null if none was asked for.'),
  },
  named('QrCode', 'A link, and a QR code of it, that opens a chat with a number and puts a text into it.'),
);

export const QrCodeParams = Type.Object({
  ...PhoneNumberParams.properties,
  code: withExample(
    Type.String({ minLength: 1, maxLength: MAX_CODE, ...CODE, description: 'ID of the QR code.' }),
    exampleCode,
  ),
});

export const QrCodeQuery = queryOf({
  image: Type.Optional(
    withExample(choiceOf(qrImageFormats, 'Also returns a picture of the QR code, in this format.'), 'png'),
  ),
});

export const CreateQrCode = strictObject('A new QR code.', {
  message: text(MAX_QR_MESSAGE, MESSAGE),
  image: Type.Optional(choiceOf(qrImageFormats, 'Format of the picture. Default: svg.')),
});

export const ChangeQrCode = strictObject('Its new text.', { message: text(MAX_QR_MESSAGE, MESSAGE) });

export const qrCodeExample: JsonObject = {
  id: exampleCode,
  message: 'I would like to order flowers.',
  link: `https://wa.me/message/${exampleCode}`,
  image_url: `https://scontent.example/qr/${exampleCode}.svg`,
};
