import { expect, test } from 'vitest';
import { stringifyAscii } from '../json.ts';
import { signatureOf } from './sign.ts';

test('a signature covers the compact body with escaped unicode (golden vector of the facts)', () => {
  const body = stringifyAscii({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550001111', phone_number_id: '2' },
              messages: [
                {
                  from: '15550002222',
                  id: 'wamid.X',
                  timestamp: '1700000000',
                  text: { body: 'café 😀' },
                  type: 'text',
                },
              ],
            },
            field: 'messages',
          },
        ],
      },
    ],
  });
  expect(body).toHaveLength(336);
  expect(signatureOf('sim-app-secret', body)).toBe(
    'sha256=ec926af65253530bc3f81514401e07fe3f5c97532c938d20251df776ac31aa88',
  );
});
