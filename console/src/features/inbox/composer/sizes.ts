const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;
const STEP = 1_024;

/** The size of a file in its largest unit: 48 kB, 5 MB. */
export function sizeText(bytes: number): string {
  const place = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(STEP)));
  const unit = UNITS[place] ?? 'byte';
  const amount = bytes / STEP ** place;
  const maximumFractionDigits = amount < 10 && place > 0 ? 1 : 0;
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, maximumFractionDigits }).format(amount);
}
