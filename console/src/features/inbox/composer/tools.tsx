import { CalendarClock, LayoutTemplate, Mic, Smile } from 'lucide-react';
import { IconButton } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';
import { AttachButtons } from './attach-buttons.tsx';
import type { Mode } from './composer-commands.ts';

export type OpenTool = 'emoji' | 'schedule' | 'voice' | null;

/** Browsers offer a microphone to pages that were served securely, and to those of the machine itself. */
const canRecord = 'mediaDevices' in navigator && 'MediaRecorder' in window;

interface Props {
  readonly mode: Mode;
  readonly open: OpenTool;
  readonly canSend: boolean;
  readonly onOpen: (tool: OpenTool) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onTemplate: () => void;
}

/** What else than letters an answer is made of. */
export function Tools({ mode, open, canSend, onOpen, onFiles, onTemplate }: Props) {
  const toggle = (tool: OpenTool) => onOpen(open === tool ? null : tool);
  return (
    <div className="flex items-center">
      {mode === 'reply' && <AttachButtons onFiles={onFiles} />}
      <IconButton label={t('emoji.open')} aria-expanded={open === 'emoji'} onClick={() => toggle('emoji')}>
        <Smile size={17} aria-hidden="true" />
      </IconButton>
      {mode === 'reply' && (
        <>
          {canRecord && (
            <IconButton label={t('voice.record')} aria-expanded={open === 'voice'} onClick={() => toggle('voice')}>
              <Mic size={17} aria-hidden="true" />
            </IconButton>
          )}
          <IconButton label={t('template.choose')} onClick={onTemplate}>
            <LayoutTemplate size={17} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={t('schedule.title')}
            aria-expanded={open === 'schedule'}
            disabled={!canSend}
            onClick={() => toggle('schedule')}
          >
            <CalendarClock size={17} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </div>
  );
}
