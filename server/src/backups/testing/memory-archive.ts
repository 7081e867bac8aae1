import { Readable } from 'node:stream';
import { type Archive, checkName } from '#blobs/archive';

/** An archive in memory, with its files to be looked into and damaged. */
export interface MemoryArchive extends Archive {
  readonly files: Map<string, Buffer>;
}

export function memoryArchive(): MemoryArchive {
  const files = new Map<string, Buffer>();
  return {
    location: 'memory',
    files,
    write: async (name, source) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of source) chunks.push(chunk);
      files.set(checkName(name), Buffer.concat(chunks));
    },
    read: async (name) => {
      const bytes = files.get(name);
      return bytes === undefined ? null : Readable.from([bytes]);
    },
    size: async (name) => files.get(name)?.length ?? null,
    folders: async () => [...new Set([...files.keys()].map((name) => name.split('/')[0] ?? ''))],
    list: async (folder) =>
      [...files.keys()].filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1)),
    remove: async (name) => void files.delete(name),
    close: async () => undefined,
  };
}
