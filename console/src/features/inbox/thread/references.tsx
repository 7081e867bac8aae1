import { Forward, Package } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { isDeleted, isInbound, type ThreadItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { summaryOf } from '../naming.ts';
import { Mark } from './mark.tsx';

const ReferralCard = lazy(async () => ({ default: (await import('./referral-card.tsx')).ReferralCard }));

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
      {told?.referral && (
        <Suspense>
          <ReferralCard referral={told.referral} />
        </Suspense>
      )}
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
