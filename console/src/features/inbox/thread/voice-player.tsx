import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';
import { Wave } from '../composer/voice/wave.tsx';

interface Props {
  readonly url: string;
  readonly onFail: () => void;
}

const BARS = 56;
const SPEEDS = [1, 1.5, 2] as const;

/** A voice note: its wave, which can be played at several speeds. */
export function VoicePlayer({ url, onFail }: Props) {
  const audio = useRef<HTMLAudioElement>(null);
  const [levels, setLevels] = useState<readonly number[]>(FLAT);
  const [isPlaying, setPlaying] = useState(false);
  const [played, setPlayed] = useState(0);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>(1);
  useEffect(() => {
    let isOver = false;
    // A browser that does not read the format plays it all the same, or says so.
    void levelsOf(url).then(
      (found) => isOver || setLevels(found),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [url]);
  const toggle = () => (isPlaying ? audio.current?.pause() : void audio.current?.play());
  const faster = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  };
  return (
    <div className="flex items-center gap-2">
      {/* biome-ignore lint/a11y/useMediaCaption: customers send no captions with what they record. */}
      <audio
        ref={audio}
        src={url}
        preload="metadata"
        onError={onFail}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlayed(0)}
        onTimeUpdate={({ currentTarget: { currentTime, duration } }) => setPlayed(currentTime / (duration || 1))}
      />
      <IconButton label={t(isPlaying ? 'voice.pause' : 'voice.play')} onClick={toggle}>
        {isPlaying ? <Pause size={17} aria-hidden="true" /> : <Play size={17} aria-hidden="true" />}
      </IconButton>
      <Wave levels={levels} played={played} />
      <button
        type="button"
        aria-label={t('voice.speed', { speed })}
        onClick={faster}
        className="h-control-small w-9 shrink-0 rounded text-xs font-medium text-muted tabular-nums hover:bg-hover"
      >
        {speed}×
      </button>
    </div>
  );
}

const FLAT: readonly number[] = Array.from({ length: BARS }, () => 0);

/** How loud each part of a recording is, the loudest being 1. */
async function levelsOf(url: string): Promise<readonly number[]> {
  const response = await fetch(url);
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(await response.arrayBuffer());
  const samples = sound.getChannelData(0);
  const part = Math.max(1, Math.floor(samples.length / BARS));
  const peaks = FLAT.map((_, place) => {
    let peak = 0;
    for (const one of samples.subarray(place * part, (place + 1) * part)) peak = Math.max(peak, Math.abs(one));
    return peak;
  });
  const loudest = Math.max(...peaks);
  return loudest === 0 ? FLAT : peaks.map((peak) => peak / loudest);
}
