interface Props {
  /** From 0 to 1, one for each bar. */
  readonly levels: readonly number[];
  /** How much of it is over, from 0 to 1. */
  readonly played?: number;
}

const HEIGHT = 28;
const BAR = 2;
const GAP = 1;
const LOWEST = 0.08;

/** Sound as bars. */
export function Wave({ levels, played = 0 }: Props) {
  const width = Math.max(1, levels.length * (BAR + GAP));
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} width={width} aria-hidden="true" className="max-w-full">
      {levels.map((level, place) => {
        const height = Math.max(LOWEST, level) * HEIGHT;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars do not move.
            key={place}
            x={place * (BAR + GAP)}
            y={(HEIGHT - height) / 2}
            width={BAR}
            height={height}
            rx={BAR / 2}
            className={place / levels.length < played ? 'fill-accent' : 'fill-muted'}
          />
        );
      })}
    </svg>
  );
}
