import { type InputHTMLAttributes, type Ref, useId } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** One line of text with its label, a hint below, and what is wrong with it. */
export function TextField({ label, hint, problem, inputRef, className = '', ...rest }: Props) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        ref={inputRef}
        aria-invalid={problem !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className="mt-1 h-field w-full rounded-md border border-line-strong bg-surface px-2.5 font-normal aria-invalid:border-bad"
        {...rest}
      />
      {note !== undefined && (
        <p
          id={`${id}-note`}
          role={problem === undefined ? undefined : 'alert'}
          className={`mt-1 text-xs text-pretty ${problem === undefined ? 'text-muted' : 'text-bad'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}
