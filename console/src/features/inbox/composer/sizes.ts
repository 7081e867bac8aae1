const STEP = 1_024;

/** The size of a file: 1 kB, 48 kB, 5.2 MB. Nothing is shown as smaller than a kilobyte. */
export function sizeText(bytes: number): string {
  const kilobytes = Math.max(1, bytes / STEP);
  const [unit, amount] = kilobytes < STEP ? ['kilobyte', kilobytes] : ['megabyte', kilobytes / STEP];
  const maximumFractionDigits = amount < 10 ? 1 : 0;
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, maximumFractionDigits }).format(amount);
}
