import type { ButtonHTMLAttributes, ReactNode } from 'react';

const LOOKS = {
  primary: 'bg-accent text-accent-ink hover:opacity-90 border-transparent',
  plain: 'bg-raised text-ink border-line-strong hover:bg-hover',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'border-transparent bg-bad-soft text-bad hover:opacity-85',
} as const;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof LOOKS;
}

export function Button({ look = 'plain', className = '', type = 'button', ...rest }: Props) {
  const shape =
    'inline-flex h-control min-w-control shrink-0 items-center justify-center gap-1.5 rounded-md border px-3 text-sm font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-45';
  return <button type={type} className={`${shape} ${LOOKS[look]} ${className}`} {...rest} />;
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly label: string;
  readonly children: ReactNode;
}

/** A button that shows an icon alone; its label is read out and shown by the browser. */
export function IconButton({ label, className = '', type = 'button', ...rest }: IconProps) {
  const shape =
    'inline-grid size-control shrink-0 place-items-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-45 aria-pressed:bg-selected aria-pressed:text-accent';
  return <button type={type} aria-label={label} title={label} className={`${shape} ${className}`} {...rest} />;
}
