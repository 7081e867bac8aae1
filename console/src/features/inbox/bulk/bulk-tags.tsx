import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Panel } from '../../../components/panel.tsx';
import { t } from '../../../locales/text.ts';
import type { BulkFields } from './bulk-api.ts';

interface Props {
  readonly onClose: () => void;
  readonly onChange: (change: BulkFields) => void;
}

const LONGEST_TAG = 64;
const MOST_TAGS = 50;

/** The tags that a text names, each once. */
const tagsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim().slice(0, LONGEST_TAG))
      .filter((tag) => tag !== ''),
  ),
];

/** Which tags everything that is selected gets and loses. */
export function BulkTags({ onClose, onChange }: Props) {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [add_tags, remove_tags] = [tagsOf(added), tagsOf(removed)];
  const count = Math.max(add_tags.length, remove_tags.length);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onChange({
      ...(add_tags.length > 0 ? { add_tags } : {}),
      ...(remove_tags.length > 0 ? { remove_tags } : {}),
    });
    onClose();
  };
  return (
    <Panel isOpen onClose={onClose} title={t('bulk.tags')}>
      <form onSubmit={apply} className="flex flex-col gap-3 p-5">
        <TagField label={t('bulk.addTags')} value={added} onChange={setAdded} />
        <TagField label={t('bulk.removeTags')} value={removed} onChange={setRemoved} />
        <p className="text-sm text-muted">{t('bulk.tagsHint')}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('bulk.cancel')}</Button>
          <Button look="primary" type="submit" disabled={count === 0 || count > MOST_TAGS}>
            {t('bulk.apply')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TagField({ label, value, onChange }: FieldProps) {
  return (
    <label className="flex flex-col gap-1 text-sm">
      {label}
      <input
        className="h-control rounded-md border border-line-strong bg-raised px-2"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
