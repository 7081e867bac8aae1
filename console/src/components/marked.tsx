export interface Mark {
  readonly start: number;
  readonly end: number;
}

interface Props {
  readonly text: string;
  /** In order and without overlaps, in UTF-16 code units. */
  readonly marks: readonly Mark[];
}

/** A text with some of its parts marked. It is text alone, whatever it looks like. */
export function Marked({ text, marks }: Props) {
  let at = 0;
  const parts = marks.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return (
      <span key={start}>
        {before}
        <mark className="rounded-sm bg-accent-soft px-px font-medium text-ink">{text.slice(start, end)}</mark>
      </span>
    );
  });
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
