/** Records a voice note with what the browser has, and makes of it what the network takes. */
import { writeOgg } from './ogg-opus.ts';
import { readWebm } from './webm-opus.ts';

/** In the order of how good they are: only Opus is shown to the customer as a voice note. */
const FORMATS = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'] as const;
const OGG = 'audio/ogg; codecs=opus';
/** So often the level is measured: it makes one bar of the wave. */
const LEVEL_MS = 80;

export interface Recording {
  /** How loud it was so far, from 0 to 1, one value for each bar. */
  readonly levels: readonly number[];
  /** Ends it. @returns the file, and whether it is a voice note; null when nothing was recorded */
  finish(): Promise<{ readonly file: File; readonly isVoice: boolean } | null>;
  /** Ends it and forgets it. */
  discard(): void;
}

/**
 * Begins to record, in one channel: the network takes no others. @param onLevel called when there is a further bar
 * @throws DOMException when nobody allows it, or there is no microphone
 */
export async function startRecording(onLevel: () => void): Promise<Recording> {
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  const audio = new AudioContext();
  const source = audio.createMediaStreamSource(microphone);
  const analyser = audio.createAnalyser();
  const mono = audio.createMediaStreamDestination();
  mono.channelCount = 1;
  mono.channelCountMode = 'explicit';
  source.connect(analyser).connect(mono);
  const mimeType = FORMATS.find((format) => MediaRecorder.isTypeSupported(format)) ?? '';
  const recorder = new MediaRecorder(mono.stream, { mimeType });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start();
  const levels: number[] = [];
  const timer = setInterval(() => {
    levels.push(levelOf(analyser));
    onLevel();
  }, LEVEL_MS);
  const end = async () => {
    clearInterval(timer);
    if (recorder.state !== 'inactive') recorder.stop();
    await ended;
    for (const track of microphone.getTracks()) track.stop();
    await audio.close();
  };
  return {
    levels,
    finish: async () => {
      await end();
      const whole = new Blob(parts, { type: mimeType });
      return whole.size === 0 ? null : await fileOf(whole);
    },
    discard: () => void end(),
  };
}

async function fileOf(whole: Blob): Promise<{ readonly file: File; readonly isVoice: boolean }> {
  const [container = ''] = whole.type.split(';');
  if (container === 'audio/webm') {
    const bytes = writeOgg(readWebm(new Uint8Array(await whole.arrayBuffer())));
    return { file: new File([bytes as Uint8Array<ArrayBuffer>], 'voice.ogg', { type: OGG }), isVoice: true };
  }
  if (container === 'audio/ogg') return { file: new File([whole], 'voice.ogg', { type: OGG }), isVoice: true };
  return { file: new File([whole], 'voice.m4a', { type: 'audio/mp4' }), isVoice: false };
}

function levelOf(analyser: AnalyserNode): number {
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  const square = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
  // Speech is quiet in numbers: its root makes it visible.
  return Math.min(1, Math.sqrt(Math.sqrt(square)));
}
