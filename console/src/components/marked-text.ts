/** The marks that the network shows as styles: `*bold*`, `_italic_` and `~strike~`. */

export type Style = 'plain' | 'bold' | 'italic' | 'strike';

export interface TextPart {
  readonly text: string;
  readonly style: Style;
}

const STYLES: Readonly<Record<string, Style>> = { '*': 'bold', _: 'italic', '~': 'strike' };
/** A mark stands at the edge of words, and touches what it marks; it does not reach over lines. */
const MARKED = /(?<![\p{L}\p{N}*_~])([*_~])(?=[^\s*_~])([^\n]*?[^\s])\1(?![\p{L}\p{N}*_~])/gu;

/** The parts of a text. The marks themselves are left out, or kept as plain parts. */
export function partsOf(text: string, { keepsMarks = false } = {}): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  const plain = (until: number) => {
    if (until > end) parts.push({ text: text.slice(end, until), style: 'plain' });
  };
  for (const match of text.matchAll(MARKED)) {
    const [whole, mark = '', marked = ''] = match;
    plain(match.index + (keepsMarks ? 1 : 0));
    parts.push({ text: marked, style: STYLES[mark] ?? 'plain' });
    end = match.index + whole.length - (keepsMarks ? 1 : 0);
  }
  plain(text.length);
  return parts;
}
