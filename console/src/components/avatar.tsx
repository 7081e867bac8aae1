interface Props {
  readonly name: string;
  readonly size?: number;
  /** How much of the customer's window is left, from 0 to 1; null: no ring. */
  readonly left?: number | null;
}

const HUES = 12;

/** The beginning of a name on a colour of its own, with the window as a ring around it. */
export function Avatar({ name, size = 36, left = null }: Props) {
  const hue = (hash(name) % HUES) * (360 / HUES);
  const ring = 2;
  const radius = size / 2 - ring / 2;
  const length = 2 * Math.PI * radius;
  const tone = left !== null && left < 1 / 12 ? 'stroke-warn' : 'stroke-good';
  return (
    <span className="relative inline-block shrink-0" style={{ width: size, height: size }} aria-hidden="true">
      <span
        className="absolute grid place-items-center rounded-full font-semibold"
        style={{
          inset: left === null ? 0 : 4,
          fontSize: size * 0.33,
          background: `light-dark(oklch(0.91 0.05 ${hue}), oklch(0.36 0.06 ${hue}))`,
          color: `light-dark(oklch(0.38 0.1 ${hue}), oklch(0.88 0.06 ${hue}))`,
        }}
      >
        {initialsOf(name)}
      </span>
      {left !== null && (
        <svg className="absolute inset-0 -rotate-90" width={size} height={size} aria-hidden="true">
          <circle cx={size / 2} cy={size / 2} r={radius} fill="none" strokeWidth={ring} className="stroke-line" />
          <circle
            cx={size / 2}
            cy={size / 2}
            r={radius}
            fill="none"
            strokeWidth={ring}
            strokeLinecap="round"
            className={tone}
            strokeDasharray={`${length * left} ${length}`}
          />
        </svg>
      )}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isNumber = /^[+\d\s]+$/.test(name);
  if (isNumber) return words.join('').slice(-2);
  // A name of emoji alone.
  if (words.length === 0) return [...name.trim()][0] ?? '';
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}
