/** A customer sends a file: its bytes get an id, and the message carries id, type and digest. */
import type { JsonObject } from '../json.ts';
import type { MediaItem } from '../media/media-store.ts';
import { fileKindOf, isMovingWebp } from '../media/media-types.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Sha256Form } from '../settings.ts';
import type { Simulation } from '../simulation.ts';

export type InboundFile = {
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly fileName: string | null;
  readonly caption: string | null;
  /** A voice note rather than an audio file. */
  readonly voice: boolean;
};

/** Type and type object of the message; anything that the network does not know as media is a document. */
export function mediaMessage(sim: Simulation, number: BusinessNumber, file: InboundFile): JsonObject {
  const owner = { phoneNumberId: number.phoneNumberId, wabaId: number.wabaId };
  const media = { ...owner, origin: 'inbound' as const, mimeType: file.mimeType, fileName: file.fileName };
  const item = sim.media.add(media, sim.media.write(file.bytes), sim.clock.now());
  const type = fileKindOf(file.mimeType)?.mediaType ?? 'document';
  return {
    type,
    [type]: {
      ...(file.caption === null || type === 'audio' || type === 'sticker' ? {} : { caption: file.caption }),
      ...(file.fileName === null || type !== 'document' ? {} : { filename: file.fileName }),
      mime_type: item.mimeType,
      sha256: digestIn(item, sim.settings.sha256Form),
      id: item.id,
      ...(type === 'audio' ? { voice: file.voice } : {}),
      ...(type === 'sticker' ? { animated: isMovingWebp(file.bytes) } : {}),
    },
  };
}

function digestIn(item: MediaItem, form: Sha256Form): string {
  return form === 'hex' ? item.sha256 : Buffer.from(item.sha256, 'hex').toString('base64');
}
