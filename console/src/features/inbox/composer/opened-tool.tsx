import { lazy, Suspense } from 'react';
import { attachments } from '../../../app/composing/attachments.ts';
import type { Conversation } from '../../../live/model.ts';
import type { OpenTool } from './tools.tsx';

const EmojiPicker = lazy(async () => ({ default: (await import('./emoji-picker.tsx')).EmojiPicker }));
const SchedulePanel = lazy(async () => ({ default: (await import('./schedule-panel.tsx')).SchedulePanel }));
const VoiceRecorder = lazy(async () => ({ default: (await import('./voice/voice-recorder.tsx')).VoiceRecorder }));

interface Props {
  readonly tool: OpenTool;
  readonly one: Conversation;
  readonly onEmoji: (sign: string) => void;
  readonly onSchedule: (sendAt: string) => void;
  readonly onTemplate: () => void;
  readonly onClose: () => void;
}

/** What a button of the composer has opened; it is loaded then. */
export function OpenedTool({ tool, one, onEmoji, onSchedule, onTemplate, onClose }: Props) {
  return (
    <Suspense>
      {tool === 'emoji' && <EmojiPicker onPick={onEmoji} onClose={onClose} />}
      {tool === 'schedule' && (
        <SchedulePanel one={one} onSchedule={onSchedule} onTemplate={onTemplate} onClose={onClose} />
      )}
      {tool === 'voice' && (
        <VoiceRecorder onFile={(file, isVoice) => attachments.add(one.id, [file], { isVoice })} onClose={onClose} />
      )}
    </Suspense>
  );
}
