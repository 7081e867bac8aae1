import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TextName } from '../../locales/text.ts';
import { t } from '../../locales/text.ts';
import { type Behavior, behaveLike } from './phone-api.ts';

const SWITCHES: readonly { readonly name: keyof Behavior; readonly label: TextName }[] = [
  { name: 'refuse', label: 'phone.refuse' },
  { name: 'late', label: 'phone.late' },
  { name: 'out_of_order', label: 'phone.outOfOrder' },
  { name: 'read_by_hand', label: 'phone.readByHand' },
];

/** Breaks the network for this customer, to see what the inbox makes of it. */
export function Behaviors({ peer, behavior }: { readonly peer: string; readonly behavior: Behavior }) {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (change: Partial<Behavior>) => behaveLike(peer, change),
    onSettled: () => queries.invalidateQueries({ queryKey: ['phone', peer] }),
  });
  return (
    <fieldset className="flex shrink-0 flex-wrap gap-1 border-t border-line px-2.5 pt-2">
      <legend className="sr-only">{t('phone.behavior')}</legend>
      {SWITCHES.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          aria-pressed={behavior[name]}
          onClick={() => mutate({ [name]: !behavior[name] })}
          className="h-control-small min-w-control-small rounded-full border border-line-strong px-2 text-2xs text-muted hover:bg-hover aria-pressed:border-warn aria-pressed:bg-warn-soft aria-pressed:text-warn"
        >
          {t(label)}
        </button>
      ))}
    </fieldset>
  );
}
