import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { numbersQuery } from '../../app/resources.ts';
import { t } from '../../locales/text.ts';
import { writeAs } from './phone-api.ts';

interface Props {
  /** The customer's number, and what they are called. */
  readonly peer: string;
  readonly name: string;
  /** The number of the business that is written to; null: the first. */
  readonly numberId: string | null;
}

/** Where a stranger writes as the customer. */
export function PhoneWriter({ peer, name, numberId }: Props) {
  const queries = useQueryClient();
  const { data: numbers } = useQuery(numbersQuery);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const written = text.trim();
    if (written === '') return;
    const to = numberId ?? numbers?.[0]?.id;
    setText('');
    setProblem(null);
    try {
      await writeAs({ from: peer, name, text: written, ...(to === undefined ? {} : { phone_number_id: to }) });
      void queries.invalidateQueries({ queryKey: ['phone', peer] });
    } catch (error) {
      setText(written);
      setProblem(error instanceof Error ? error.message : t('phone.failed'));
    }
  };
  return (
    <form onSubmit={(event) => void send(event)} className="shrink-0 border-t border-line p-2.5">
      {problem && (
        <p role="alert" className="pb-2 text-xs text-bad">
          {problem}
        </p>
      )}
      <div className="flex items-center gap-1.5">
        <input
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label={t('phone.field', { name })}
          placeholder={t('phone.placeholder', { name })}
          className="h-field min-w-0 grow rounded-full border border-line-strong bg-surface px-3.5 text-sm"
        />
        <button
          type="submit"
          aria-label={t('phone.send')}
          disabled={text.trim() === ''}
          className="grid size-field shrink-0 place-items-center rounded-full bg-good text-surface disabled:opacity-45"
        >
          <SendHorizontal size={16} aria-hidden="true" className="rtl:-scale-x-100" />
        </button>
      </div>
    </form>
  );
}
