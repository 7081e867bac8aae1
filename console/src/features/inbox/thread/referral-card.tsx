import type { Referral } from '@postrider/sdk';
import { Megaphone } from 'lucide-react';
import { t } from '../../../locales/text.ts';
import { Mark } from './mark.tsx';

/** The advertisement or post that brought the customer. */
export function ReferralCard({ referral }: { readonly referral: Referral }) {
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
