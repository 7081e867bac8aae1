import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { partsOf, type Style } from '../../../components/marked-text.ts';

interface Props {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/* None of these may change how wide a letter is: what lies below the field would not fit it any more. */
const STYLES: Readonly<Record<Style, string>> = {
  plain: '',
  bold: '[-webkit-text-stroke:0.6px_currentcolor]',
  italic: 'underline decoration-dotted underline-offset-4',
  strike: 'line-through',
};
const SHAPE = 'px-2 py-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]';

/** A text area that grows with its text, above a copy of it that shows what the marks do. */
export function TextField({ field, value, label, placeholder, onChange, onKeyDown }: Props) {
  const mirror = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows from the text.
  useEffect(() => {
    const one = field.current;
    if (one === null) return;
    one.style.height = 'auto';
    one.style.height = `${one.scrollHeight}px`;
  }, [value, field]);
  return (
    <div className="relative min-w-0 grow overflow-hidden">
      <div
        ref={mirror}
        aria-hidden="true"
        dir="auto"
        className={`mirrors-field pointer-events-none absolute inset-0 overflow-hidden ${SHAPE}`}
      >
        {partsOf(value, { keepsMarks: true }).map(({ text, style }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
          <span key={place} className={STYLES[style]}>
            {text}
          </span>
        ))}
      </div>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        value={value}
        aria-label={label}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          if (mirror.current !== null) mirror.current.scrollTop = currentTarget.scrollTop;
        }}
        className={`relative block max-h-48 min-h-control w-full resize-none overflow-y-auto bg-transparent text-transparent caret-ink outline-none [scrollbar-width:none] ${SHAPE}`}
      />
    </div>
  );
}
