export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
  /** Cursor: only ids smaller than this one. */
  readonly beforeId: string | null;
}
