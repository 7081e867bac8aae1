import type { Referral } from '@postrider/sdk';
import { Forward, type LucideIcon, Megaphone, Package } from 'lucide-react';
import type { ReactNode } from 'react';
import { type InboundItem, isDeleted, isInbound, type ThreadItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { summaryOf } from '../naming.ts';

/** What a message refers to: another message, another chat, an advertisement, a product. */
export function References({ item, quoted }: { readonly item: ThreadItem; readonly quoted: ThreadItem | null }) {
  const told = isInbound(item) && !isDeleted(item) ? item : null;
  return (
    <>
      {told?.forwarded && (
        <Mark icon={Forward}>
          {t(told.forwarded === 'frequently_forwarded' ? 'thread.forwardedOften' : 'thread.forwarded')}
        </Mark>
      )}
      {told?.referral && <Source referral={told.referral} />}
      {told?.referred_product && (
        <Mark icon={Package}>{t('thread.product', { product: told.referred_product.product_retailer_id })}</Mark>
      )}
      {quoted ? <Quoted text={summaryOf(quoted)} /> : told?.quoted && <Quoted text={t('thread.quotedEarlier')} />}
    </>
  );
}

function Quoted({ text }: { readonly text: string }) {
  return (
    <p dir="auto" className="my-1 line-clamp-2 border-s-2 border-accent ps-2 text-sm text-muted">
      {text}
    </p>
  );
}

function Mark({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) {
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted">
      <Icon size={13} aria-hidden="true" className="shrink-0" />
      <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
        {children}
      </span>
    </p>
  );
}

/** The advertisement or post that brought the customer. */
function Source({ referral }: { readonly referral: Referral }) {
  const { source_type: type, source_url: url, headline, body } = referral;
  const isAddress = url !== null && /^https?:\/\//.test(url);
  const title = headline ?? (isAddress ? url : null);
  return (
    <div className="my-1 rounded-lg border border-line bg-surface px-2.5 py-1.5">
      <Mark icon={Megaphone}>{t(type === 'post' ? 'thread.fromPost' : 'thread.fromAd')}</Mark>
      {title !== null && (
        <p dir="auto" className="[overflow-wrap:anywhere]">
          {isAddress ? (
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              className="text-accent underline underline-offset-2"
            >
              {title}
            </a>
          ) : (
            title
          )}
        </p>
      )}
      {body && (
        <p dir="auto" className="line-clamp-2 text-sm text-muted">
          {body}
        </p>
      )}
    </div>
  );
}

/** What the customer entered into a form; nothing for a message that is none. */
export function FormAnswers({ item }: { readonly item: ThreadItem }) {
  const answers = isInbound(item) && !isDeleted(item) ? answersOf(item) : [];
  if (answers.length === 0) return null;
  return (
    <dl className="my-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
      {answers.map(([name, value]) => (
        <div key={name} className="contents">
          <dt dir="auto" className="text-muted">
            {name}
          </dt>
          <dd dir="auto" className="[overflow-wrap:anywhere]">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function answersOf({ flow_response: form }: InboundItem): readonly (readonly [string, unknown])[] {
  const data = form?.data;
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.entries(data) : [];
}
