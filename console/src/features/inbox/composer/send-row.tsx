import { SendHorizontal } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';
import { Tools } from './tools.tsx';

interface Props extends ComponentProps<typeof Tools> {
  readonly onSend: () => void;
}

/** What else an answer is made of, and the button that sends it. */
export function SendRow({ onSend, ...tools }: Props) {
  return (
    <div className="flex items-center justify-between gap-1 px-1.5 pb-1.5">
      <Tools {...tools} />
      <Button
        look="primary"
        onClick={onSend}
        disabled={!tools.canSend}
        aria-label={t(tools.mode === 'note' ? 'composer.addNote' : 'composer.send')}
      >
        <SendHorizontal size={15} aria-hidden="true" className="rtl:-scale-x-100" />
      </Button>
    </div>
  );
}
