import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A line above a message that says where it comes from. */
export function Mark({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) {
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted">
      <Icon size={13} aria-hidden="true" className="shrink-0" />
      <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
        {children}
      </span>
    </p>
  );
}
