import type { ReactNode } from 'react';

interface Props {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly body?: string;
  readonly children?: ReactNode;
  /** There is nothing else on the page. */
  readonly isPage?: boolean;
}

/** What stands where there is nothing to show: why, and the next step. */
export function State({ icon, title, body, children, isPage = false }: Props) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="grid h-full place-items-center p-6 text-center">
      <div className="max-w-xs">
        {icon && (
          <div className="mb-3 inline-grid size-10 place-items-center rounded-full bg-hover text-muted">{icon}</div>
        )}
        <Title className="font-semibold text-balance">{title}</Title>
        {body && <p className="mt-1 text-sm text-pretty text-muted">{body}</p>}
        {children && <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>}
      </div>
    </div>
  );
}
