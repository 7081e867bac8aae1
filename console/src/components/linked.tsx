import { partsOf, type Style } from './marked-text.ts';

/** Text of people: shown as it is, with its addresses made links. Never HTML. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'’]/g;

export function Linked({ text }: { readonly text: string }) {
  const parts: (string | { readonly url: string; readonly at: number })[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    parts.push(text.slice(end, match.index), { url: match[0], at: match.index });
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return (
    <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {parts.map((part, place) =>
        typeof part === 'string' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
          <Marked key={place} text={part} />
        ) : (
          <a
            key={part.at}
            href={part.url}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent underline underline-offset-2"
          >
            {part.url}
          </a>
        ),
      )}
    </p>
  );
}

const STYLES: Readonly<Record<Style, string>> = {
  plain: '',
  bold: 'font-semibold',
  italic: 'italic',
  strike: 'line-through',
};

function Marked({ text }: { readonly text: string }) {
  return partsOf(text).map(({ text: part, style }, place) =>
    style === 'plain' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
      <span key={place} className={STYLES[style]}>
        {part}
      </span>
    ),
  );
}
