import type { HeldDraft } from '../draft-rules.ts';
import type { DraftStorage } from '../draft-sync.ts';

/** What a browser keeps of drafts, as long as the test runs. */
export class MemoryStorage implements DraftStorage {
  readonly kept = new Map<string, HeldDraft>();
  get = (id: string) => this.kept.get(id) ?? null;
  set = (id: string, draft: HeldDraft | null) => void (draft ? this.kept.set(id, draft) : this.kept.delete(id));
  ids = () => [...this.kept.keys()];
}
