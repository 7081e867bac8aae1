import type { InboundMedia, MessageMedia, MessageTemplate } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { FileText, ImageOff, MapPin } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { templatesQuery } from '../../../app/resources.ts';
import { Linked } from '../../../components/linked.tsx';
import { isCall, isDeleted, isInbound, type ThreadItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { kindName } from '../naming.ts';
import { templateText } from '../prepared/template-text.ts';

const CallContent = lazy(async () => ({ default: (await import('./call-content.tsx')).CallContent }));
const VoicePlayer = lazy(async () => ({ default: (await import('./voice-player.tsx')).VoicePlayer }));

/** What a message says or shows. */
export function Content({ item }: { readonly item: Exclude<ThreadItem, { type: 'note' }> | ThreadItem }) {
  if (isDeleted(item))
    return (
      <p className="text-muted italic">{t(isInbound(item) ? 'thread.deletedByCustomer' : 'thread.deletedOnPhone')}</p>
    );
  if (isCall(item))
    return (
      <Suspense fallback={<Kind item={item} />}>
        <CallContent call={item.call} />
      </Suspense>
    );
  if ('template' in item && item.template) return <TemplateContent template={item.template} />;
  if ('media' in item && item.media) return <MediaContent item={item} media={item.media} />;
  if ('location' in item && item.location) return <LocationContent {...item.location} />;
  const text = 'body' in item ? item.body : null;
  if (text) return <Linked text={text} />;
  return <Kind item={item} />;
}

/** What there is in words of a message that says nothing itself. */
function Kind({ item }: { readonly item: ThreadItem }) {
  return <p className="text-muted italic">{(isInbound(item) && item.summary) || kindName(item.type)}</p>;
}

function TemplateContent({ template }: { readonly template: MessageTemplate }) {
  const { data: templates } = useQuery(templatesQuery);
  const found = templates?.find(({ name, language }) => name === template.name && language === template.language);
  return (
    <Linked text={found ? templateText(found, template.variables) : t('thread.template', { name: template.name })} />
  );
}

interface MediaProps {
  readonly item: ThreadItem;
  /** That of a message in either direction. */
  readonly media: Pick<MessageMedia, 'media_id'> &
    Partial<MessageMedia> &
    Partial<Pick<InboundMedia, 'status' | 'size'>>;
}

function MediaContent({ item, media }: MediaProps) {
  const caption = isInbound(item) ? item.body : media.caption;
  const url = media.media_id === null ? null : `/v1/media/${media.media_id}/content`;
  return (
    <div className="flex flex-col gap-1 py-1">
      {url === null ? (
        <Missing type={item.type} status={media.status ?? 'linked'} />
      ) : (
        <File type={item.type} url={url} media={media} />
      )}
      {caption && <Linked text={caption} />}
    </div>
  );
}

function Missing({ type, status }: { readonly type: string; readonly status: string }) {
  const text = status === 'pending' ? 'media.pending' : status === 'failed' ? 'media.failed' : 'media.linked';
  return (
    <p className="flex items-center gap-2 text-muted">
      <ImageOff size={16} aria-hidden="true" />
      {t(text, { kind: kindName(type) })}
    </p>
  );
}

function File({
  type,
  url,
  media,
}: {
  readonly type: string;
  readonly url: string;
  readonly media: MediaProps['media'];
}) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <Missing type={type} status="failed" />;
  if (type === 'image' || type === 'sticker') {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer">
        <img
          src={url}
          alt={media.caption ?? kindName(type)}
          loading="lazy"
          onError={() => setFailed(true)}
          className={`rounded-lg bg-hover object-contain ${type === 'sticker' ? 'size-28' : 'max-h-72 min-h-24 max-w-full min-w-32'}`}
        />
      </a>
    );
  }
  const shown = { src: url, controls: true, preload: 'metadata', onError: () => setFailed(true) };
  // biome-ignore-start lint/a11y/useMediaCaption: customers send no captions with what they record.
  if (type === 'video') return <video {...shown} className="max-h-72 rounded-lg" />;
  if (type === 'audio')
    return (
      <Suspense fallback={<div className="h-8 w-64" />}>
        <VoicePlayer url={url} onFail={() => setFailed(true)} />
      </Suspense>
    );
  // biome-ignore-end lint/a11y/useMediaCaption: see above.
  return (
    <a
      href={url}
      download={media.filename ?? true}
      className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 hover:border-line-strong"
    >
      <FileText size={18} aria-hidden="true" className="shrink-0 text-muted" />
      <span dir="auto" className="min-w-0 truncate">
        {media.filename ?? kindName(type)}
      </span>
    </a>
  );
}

function LocationContent({
  latitude,
  longitude,
  name,
}: {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string | null;
}) {
  return (
    <p className="flex items-center gap-2 py-1">
      <MapPin size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <span dir="auto">
        {name ? `${name} · ` : ''}
        {latitude}, {longitude}
      </span>
    </p>
  );
}
