import { expect, test } from 'vitest';
import type { Attachment } from '../../../app/composing/attachments.ts';
import type { MediaKind } from '../../../app/composing/media-types.ts';
import { contentsOf } from './reply-contents.ts';

const file = (kind: MediaKind, mediaId: string, isVoice = false): Attachment => ({
  id: mediaId,
  name: `${mediaId}.bin`,
  size: 1,
  kind,
  previewUrl: null,
  isVoice,
  state: { at: 'ready', mediaId },
});
const answer = { text: '', attachments: [], replyTo: null, sendAt: null };

test('several files become several messages in their order, and the text stands below the first', () => {
  const attachments = [file('image', 'a'), file('document', 'b')];
  expect(contentsOf({ ...answer, text: 'Both of them', attachments })).toEqual([
    { type: 'image', media: { media_id: 'a', caption: 'Both of them' } },
    { type: 'document', media: { media_id: 'b', filename: 'b.bin' } },
  ]);
});

test('a text that no file can carry is a message of its own, before them', () => {
  const audio = contentsOf({ ...answer, text: 'Listen', attachments: [file('audio', 'a', true)] });
  expect(audio).toEqual([
    { type: 'text', body: 'Listen' },
    { type: 'audio', media: { media_id: 'a', voice: true } },
  ]);
  const long = contentsOf({ ...answer, text: 'x'.repeat(1_025), attachments: [file('image', 'a')] });
  expect(long.map(({ type }) => type)).toEqual(['text', 'image']);
});

test('the quote belongs to the first message, the time to each', () => {
  const sendAt = '2030-01-02T09:00:00.000Z';
  const attachments = [file('image', 'a'), file('image', 'b')];
  expect(contentsOf({ text: '', attachments, replyTo: 'm', sendAt })).toEqual([
    { type: 'image', media: { media_id: 'a' }, reply_to: 'm', send_at: sendAt },
    { type: 'image', media: { media_id: 'b' }, send_at: sendAt },
  ]);
});

test('a file that is not there yet is not sent', () => {
  const uploading: Attachment = { ...file('image', 'a'), state: { at: 'uploading', share: 0.5 } };
  expect(contentsOf({ ...answer, text: 'Soon', attachments: [uploading] })).toEqual([{ type: 'text', body: 'Soon' }]);
});
