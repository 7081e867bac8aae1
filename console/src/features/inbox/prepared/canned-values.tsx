import { type FormEvent, useState } from 'react';
import type { CannedReply } from '../../../app/resources.ts';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';

interface Props {
  readonly reply: CannedReply;
  readonly onFill: (values: Readonly<Record<string, string>>) => void;
  readonly onCancel: () => void;
}

/** Asks for what a canned reply does not know of the customer. */
export function CannedValues({ reply, onFill, onCancel }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFill(values);
  };
  return (
    <form
      onSubmit={submit}
      aria-label={`/${reply.shortcut}`}
      className="flex flex-col gap-2 p-2"
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      {reply.asks_for.map((name, place) => (
        <label key={name} className="flex items-center gap-3 text-sm">
          <span className="w-28 shrink-0 truncate">{name}</span>
          <input
            // biome-ignore lint/a11y/noAutofocus: the reply was chosen to be filled.
            autoFocus={place === 0}
            dir="auto"
            className="h-control min-w-0 grow rounded-md border border-line-strong bg-raised px-2"
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </label>
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('saved.cancel')}</Button>
        <Button look="primary" type="submit">
          {t('canned.fill')}
        </Button>
      </div>
    </form>
  );
}
