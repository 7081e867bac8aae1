import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLiveValue } from '../../../app/live.tsx';
import { contactQuery } from '../../../app/resources.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { IconButton } from '../../../components/button.tsx';
import { dateOf, type TextName, t } from '../../../locales/text.ts';
import { phoneText } from '../naming.ts';
import { Timeline } from './timeline.tsx';

interface Props {
  readonly conversationId: string;
  readonly onClose: () => void;
}

/** What is known of the customer. */
export function ContactPanel({ conversationId, onClose }: Props) {
  const contactId = useLiveValue(
    ({ client }) => client.state.conversations.get(conversationId)?.value?.contact_id ?? null,
  );
  return (
    <aside
      aria-label={t('contact.panel')}
      className="scroll-area absolute inset-y-0 end-0 z-10 w-full border-s border-line bg-surface sm:w-72 2xl:static 2xl:shrink-0"
    >
      <header className="flex h-12 items-center justify-between border-b border-line ps-4 pe-2">
        <h2 className="font-semibold">{t('contact.title')}</h2>
        <IconButton label={t('action.close')} onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </header>
      {contactId !== null && (
        <>
          <Card contactId={contactId} />
          <Timeline contactId={contactId} />
        </>
      )}
    </aside>
  );
}

function Card({ contactId }: { readonly contactId: string }) {
  const { data: contact, error } = useQuery(contactQuery(contactId));
  if (error) return <p className="p-4 text-bad">{error.message}</p>;
  if (contact === undefined) return <div className="skeleton m-4 h-28" aria-busy="true" />;
  const name = contact.name ?? contact.profile_name ?? (contact.phone ? phoneText(contact.phone) : t('agent.unknown'));
  const consent = contact.consent.marketing;
  return (
    <div className="p-4">
      <div className="flex flex-col items-center gap-2 pb-4 text-center">
        <Avatar name={name} size={56} />
        <p dir="auto" className="text-base font-semibold [overflow-wrap:anywhere]">
          {name}
        </p>
      </div>
      <dl className="flex flex-col gap-2.5">
        <Fact label="contact.phone">{contact.phone && phoneText(contact.phone)}</Fact>
        <Fact label="contact.profileName">{contact.profile_name}</Fact>
        <Fact label="contact.language">{contact.language}</Fact>
        <Fact label="contact.country">{contact.country}</Fact>
        <Fact label="contact.consent">{t(CONSENTS[consent] ?? 'consent.unknown')}</Fact>
        <Fact label="contact.since">{dateOf(contact.created_at)}</Fact>
        {Object.entries(contact.attributes).map(([key, value]) => (
          <div key={key}>
            <dt className="text-xs text-muted">{key}</dt>
            <dd className="[overflow-wrap:anywhere]">
              <bdi>{String(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {contact.tags.length > 0 && (
        <ul className="mt-4 flex flex-wrap gap-1">
          {contact.tags.map((tag) => (
            <li key={tag} className="rounded-full bg-hover px-2 py-0.5 text-xs">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const CONSENTS: Readonly<Record<string, TextName>> = {
  granted: 'consent.granted',
  denied: 'consent.denied',
};

function Fact({ label, children }: { readonly label: TextName; readonly children: ReactNode }) {
  if (!children) return null;
  return (
    <div>
      <dt className="text-xs text-muted">{t(label)}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
