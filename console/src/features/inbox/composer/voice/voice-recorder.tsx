import { Check, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../../components/button.tsx';
import { t } from '../../../../locales/text.ts';
import { type Recording, startRecording } from './recording.ts';
import { Wave } from './wave.tsx';

interface Props {
  readonly onFile: (file: File, isVoice: boolean) => void;
  readonly onClose: () => void;
}

const BARS = 48;

/** Records a voice note from now on, until it is attached or thrown away. */
export function VoiceRecorder({ onFile, onClose }: Props) {
  const recording = useRef<Recording | null>(null);
  const [startedMs] = useState(Date.now);
  const [now, setNow] = useState(startedMs);
  const [fault, setFault] = useState<'voice.denied' | 'voice.failed' | null>(null);
  useEffect(() => {
    let isOver = false;
    startRecording(() => setNow(Date.now())).then(
      (started) => {
        if (isOver) started.discard();
        else recording.current = started;
      },
      (error: unknown) => setFault(isDenied(error) ? 'voice.denied' : 'voice.failed'),
    );
    return () => {
      isOver = true;
      recording.current?.discard();
    };
  }, []);
  const finish = async () => {
    const done = recording.current;
    recording.current = null;
    try {
      const found = (await done?.finish()) ?? null;
      if (found !== null) onFile(found.file, found.isVoice);
      onClose();
    } catch {
      setFault('voice.failed');
    }
  };
  const seconds = Math.floor((now - startedMs) / 1_000);
  return (
    <fieldset
      aria-label={t('voice.record')}
      className="popup absolute inset-x-0 bottom-full z-10 mb-1 flex items-center gap-3 p-2"
    >
      <IconButton label={t('voice.discard')} onClick={onClose}>
        <Trash2 size={16} aria-hidden="true" />
      </IconButton>
      {fault === null ? (
        <>
          <span className="size-2 shrink-0 animate-pulse rounded-full bg-bad" />
          <span role="timer" className="text-sm tabular-nums">
            {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
          </span>
          <span className="flex min-w-0 grow justify-end overflow-hidden">
            <Wave levels={recording.current?.levels.slice(-BARS) ?? []} />
          </span>
          <Button look="primary" onClick={() => void finish()}>
            <Check size={15} aria-hidden="true" />
            {t('voice.attach')}
          </Button>
        </>
      ) : (
        <p role="alert" className="grow text-sm text-bad">
          {t(fault)}
        </p>
      )}
    </fieldset>
  );
}

const isDenied = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'SecurityError');
