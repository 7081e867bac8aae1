import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../locales/text.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

/** A dialog with a title, above the page. */
export function Panel({ isOpen, onClose, title, children, isWide = false }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-[rgb(10_12_20/32%)]" />
        <Dialog.Popup
          className={`popup fixed inset-x-3 top-[8dvh] mx-auto flex max-h-[84dvh] flex-col overflow-hidden ${isWide ? 'max-w-3xl' : 'max-w-xl'}`}
        >
          <header className="flex items-center justify-between gap-3 border-b border-line py-2 ps-5 pe-2">
            <Dialog.Title className="min-w-0 truncate font-semibold">{title}</Dialog.Title>
            <Dialog.Close
              aria-label={t('action.close')}
              className="inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover"
            >
              <X size={16} aria-hidden="true" />
            </Dialog.Close>
          </header>
          <div className="scroll-area min-h-0 grow">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
