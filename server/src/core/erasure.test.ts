import { expect, test } from 'vitest';
import { eraseEventData } from './erasure.ts';

test('the event of an inbound message keeps ids, times and its type, and nothing that the customer sent', () => {
  const kept = {
    id: '0190a6f3-1111-7222-8333-444455556666',
    direction: 'inbound',
    type: 'location',
    phone_number_id: '106540352242922',
    received_at: '2030-01-01T09:05:00.480Z',
  };
  const personal = { from: '447700900123', to: '15550100001', network_message_id: 'wamid.1', profile_name: 'Sam' };
  const place = { latitude: 51.5, longitude: -0.1, name: 'Home' };
  const media = { status: 'pending', filename: 'passport.pdf' };
  expect(eraseEventData({ ...kept, ...personal, media, location: place })).toEqual({
    ...kept,
    from: 'erased',
    to: 'erased',
    network_message_id: 'erased',
    profile_name: null,
    media: { status: 'pending', filename: null },
    location: {},
  });
});
