import { FileText, Mic, X } from 'lucide-react';
import { type Attachment, attachments, MAX_ATTACHMENTS } from '../../../app/composing/attachments.ts';
import { t } from '../../../locales/text.ts';
import { kindName } from '../naming.ts';
import { sizeText } from './sizes.ts';

interface Props {
  readonly conversationId: string;
  readonly files: readonly Attachment[];
}

/** The files of the answer, each with how far it is. */
export function AttachmentTray({ conversationId, files }: Props) {
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('attach.list')} className="flex flex-wrap gap-2 px-2 pt-2">
      {files.map((file) => (
        <li
          key={file.id}
          className={`relative flex max-w-full items-center gap-2 rounded-lg border p-1.5 pe-8 pointer-coarse:pe-12 ${file.state.at === 'refused' ? 'border-transparent bg-bad-soft' : 'border-line bg-surface'}`}
        >
          <Preview file={file} />
          <div className="min-w-0 max-w-56 text-xs">
            <p dir="auto" className="truncate font-medium">
              {file.isVoice ? t('kind.audio') : file.name || (file.kind && kindName(file.kind))}
            </p>
            <Progress file={file} />
            {file.kind === 'audio' && file.previewUrl !== null && (
              // biome-ignore lint/a11y/useMediaCaption: it was just recorded.
              <audio src={file.previewUrl} controls className="mt-1 h-8 w-56" />
            )}
          </div>
          <button
            type="button"
            aria-label={t('attach.remove', { name: file.name })}
            title={t('attach.remove', { name: file.name })}
            onClick={() => attachments.remove(conversationId, file.id)}
            className="absolute end-1 top-1 grid size-control-small place-items-center rounded text-muted hover:bg-hover hover:text-ink"
          >
            <X size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Preview({ file: { kind, previewUrl, isVoice } }: { readonly file: Attachment }) {
  if (previewUrl !== null && (kind === 'image' || kind === 'sticker'))
    return <img src={previewUrl} alt="" className="size-11 shrink-0 rounded object-cover" />;
  if (previewUrl !== null && kind === 'video') return <video src={previewUrl} muted className="h-11 w-16 rounded" />;
  return (
    <span className="grid size-11 shrink-0 place-items-center rounded bg-hover text-muted">
      {isVoice ? <Mic size={18} aria-hidden="true" /> : <FileText size={18} aria-hidden="true" />}
    </span>
  );
}

function Progress({ file }: { readonly file: Attachment }) {
  const { state, size, name } = file;
  if (state.at === 'ready') return <p className="text-muted">{sizeText(size)}</p>;
  if (state.at === 'refused')
    return (
      <p role="alert" className="text-pretty text-bad">
        {faultText(file)}
      </p>
    );
  const percent = Math.round(state.share * 100);
  return (
    <div className="flex items-center gap-2 text-muted tabular-nums">
      <progress max={100} value={percent} aria-label={t('attach.uploading', { name })} className="upload-bar w-24" />
      {percent} %
    </div>
  );
}

/** Why a file cannot be sent, and what could be. */
function faultText({ state }: Attachment): string {
  if (state.at !== 'refused') return '';
  const { judged, sentence } = state;
  if (judged === null || !('fault' in judged)) return sentence || t('attach.failed');
  if (judged.fault === 'empty') return t('attach.empty');
  if (judged.fault === 'count') return t('attach.tooMany', { count: MAX_ATTACHMENTS });
  if (judged.fault === 'type') return t('attach.wrongType');
  return t('attach.tooLarge', { kind: kindName(judged.kind), max: sizeText(judged.maxBytes) });
}
