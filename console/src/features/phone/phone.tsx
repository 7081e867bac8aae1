import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone, UserPlus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLive, useLiveValue } from '../../app/live.tsx';
import { IconButton } from '../../components/button.tsx';
import { Linked } from '../../components/linked.tsx';
import { clockTime, t } from '../../locales/text.ts';
import { Behaviors } from './behaviors.tsx';
import { type PhoneItem, phoneQuery, wordsOf } from './phone-api.ts';
import { PhoneWriter } from './phone-writer.tsx';

interface Props {
  /** The conversation that is open: its customer's phone is shown. */
  readonly conversationId: string | null;
  readonly onClose: () => void;
}

/** People to write as; the first is there from the start. */
const PEOPLE = [
  { peer: '447700900123', name: 'Ada Obi' },
  { peer: '33612345678', name: 'Léa Martin' },
  { peer: '962790123456', name: 'مريم حداد' },
  { peer: '5511987654321', name: 'João Silva' },
] as const;

/** A customer's phone of the simulated network: shows what our number sent, and lets a stranger write as the customer. */
export function Phone({ conversationId, onClose }: Props) {
  const opened = useLiveValue(({ client }) =>
    conversationId === null ? null : (client.state.conversations.get(conversationId)?.value ?? null),
  );
  const [place, setPlace] = useState(0);
  const person = PEOPLE[place % PEOPLE.length] ?? PEOPLE[0];
  const peer = opened?.contact?.phone ?? person.peer;
  const known = opened?.contact?.name ?? PEOPLE.find((one) => one.peer === peer)?.name;
  const { data: phone, isError } = useQuery(phoneQuery(peer));
  usePhoneUpdates(peer);
  const name = known ?? phone?.name ?? t('phone.who');
  return (
    <section aria-label={t('phone.name')} className="flex min-h-0 grow flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
        <Smartphone size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <div className="min-w-0 grow">
          <h2 dir="auto" className="truncate text-sm leading-4 font-semibold">
            {t('phone.of', { name })}
          </h2>
          <p className="truncate text-2xs text-muted">{t('phone.simulated')}</p>
        </div>
        {opened === null && (
          <IconButton label={t('phone.other')} onClick={() => setPlace(place + 1)}>
            <UserPlus size={16} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={t('phone.hide')} onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </header>
      <Screen items={phone?.data ?? []} isAway={isError} />
      {phone?.behavior && <Behaviors peer={peer} behavior={phone.behavior} />}
      <PhoneWriter peer={peer} name={name} numberId={opened?.phone_number_id ?? null} />
    </section>
  );
}

/** The phone is read again when an event says that something went to it or came from it. */
function usePhoneUpdates(peer: string): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(
    () =>
      live.onEvents((events) => {
        if (events.some(({ type }) => type.startsWith('message.')))
          void queries.invalidateQueries({ queryKey: ['phone', peer] });
      }),
    [live, queries, peer],
  );
}

function Screen({ items, isAway }: { readonly items: readonly PhoneItem[]; readonly isAway: boolean }) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message scrolls into view.
  useEffect(() => {
    end.current?.scrollTo({ top: end.current.scrollHeight });
  }, [items.length]);
  return (
    <div
      ref={end}
      role="log"
      aria-label={t('phone.name')}
      className="scroll-area flex min-h-0 grow flex-col gap-1.5 bg-ground p-3"
    >
      {items.length === 0 && (
        <p role={isAway ? 'alert' : undefined} className="m-auto max-w-48 text-center text-sm text-pretty text-muted">
          {t(isAway ? 'phone.failed' : 'phone.empty')}
        </p>
      )}
      {items.map((item) => (
        <div
          key={item.id}
          className={`max-w-[85%] rounded-2xl border px-3 py-1.5 text-sm ${item.direction === 'written' ? 'self-end rounded-ee-md border-transparent bg-phone' : 'self-start rounded-es-md border-line bg-raised'}`}
        >
          <Linked text={wordsOf(item)} />
          <p className="text-end text-2xs text-muted tabular-nums">{clockTime(item.at)}</p>
        </div>
      ))}
    </div>
  );
}
