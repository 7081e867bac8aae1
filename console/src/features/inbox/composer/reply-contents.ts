/** Which messages an answer becomes: the network knows one file for each message. */
import { type Attachment, isReady } from '../../../app/composing/attachments.ts';
import { takesCaption } from '../../../app/composing/media-types.ts';
import type { ReplyContent } from '../../../live/commands.ts';

/** The API's limits. */
export const MAX_TEXT = 4_096;
export const MAX_CAPTION = 1_024;

export interface Answer {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The message that it quotes; null: none. */
  readonly replyTo: string | null;
  /** When it is sent; null: now. */
  readonly sendAt: string | null;
  /** The canned reply that it was begun with; null or absent: none. */
  readonly cannedReplyId?: string | null;
}

/**
 * The messages, in their order. The text stands below the first file that can carry it, otherwise before all of them;
 * the first message carries the quote and names the canned reply.
 */
export function contentsOf({
  text,
  attachments,
  replyTo,
  sendAt,
  cannedReplyId = null,
}: Answer): readonly ReplyContent[] {
  const files = attachments.filter(isReady);
  const isCaption = text !== '' && text.length <= MAX_CAPTION;
  const carrier = isCaption ? files.find(({ kind }) => kind !== null && takesCaption(kind)) : undefined;
  const contents: ReplyContent[] = [];
  if (text !== '' && carrier === undefined) contents.push({ type: 'text', body: text });
  for (const file of files) {
    const { kind, name, isVoice, state } = file;
    if (kind === null || state.at !== 'ready') continue;
    const caption = file === carrier ? { caption: text } : {};
    const filename = kind === 'document' && name !== '' ? { filename: name.slice(0, MAX_FILENAME) } : {};
    const voice = isVoice ? { voice: true } : {};
    contents.push({ type: kind, media: { media_id: state.mediaId, ...caption, ...filename, ...voice } });
  }
  return contents.map((content, place) => ({
    ...content,
    ...(place === 0 && replyTo !== null ? { reply_to: replyTo } : {}),
    ...(place === 0 && cannedReplyId !== null ? { canned_reply_id: cannedReplyId } : {}),
    ...(sendAt === null ? {} : { send_at: sendAt }),
  }));
}

const MAX_FILENAME = 240;
