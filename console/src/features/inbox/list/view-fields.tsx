import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agentsQuery } from '../../../app/resources.ts';
import { type TextName, t } from '../../../locales/text.ts';
import type { ViewForm } from './view-condition.ts';

const FIELD = 'h-control rounded-md border border-line-strong bg-raised px-2';
const CHECKS = [
  ['isWaiting', 'saved.waiting'],
  ['isUnread', 'saved.unread'],
  ['isUrgent', 'saved.priority'],
] as const;

interface Props {
  readonly form: ViewForm;
  readonly onChange: (form: ViewForm) => void;
}

/** Which conversations a view shows. */
export function ViewFields({ form, onChange }: Props) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const set = (part: Partial<ViewForm>) => onChange({ ...form, ...part });
  return (
    <>
      <Field label="saved.status">
        <select className={FIELD} value={form.status} onChange={(event) => set({ status: event.target.value })}>
          <option value="">{t('saved.anyStatus')}</option>
          <option value="open">{t('view.open')}</option>
          <option value="snoozed">{t('view.snoozed')}</option>
          <option value="resolved">{t('view.resolved')}</option>
        </select>
      </Field>
      <Field label="saved.assignee">
        <select className={FIELD} value={form.assignee} onChange={(event) => set({ assignee: event.target.value })}>
          <option value="">{t('saved.anyAssignee')}</option>
          <option value="none">{t('saved.nobody')}</option>
          <option value="me">{t('saved.me')}</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="saved.tag">
        <input
          className={FIELD}
          value={form.tag}
          maxLength={64}
          onChange={(event) => set({ tag: event.target.value })}
        />
      </Field>
      <Field label="saved.contactTag">
        <input
          className={FIELD}
          value={form.contactTag}
          maxLength={100}
          onChange={(event) => set({ contactTag: event.target.value })}
        />
      </Field>
      {CHECKS.map(([name, label]) => (
        <label key={name} className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={form[name]} onChange={(event) => set({ [name]: event.target.checked })} />
          {t(label)}
        </label>
      ))}
    </>
  );
}

function Field({ label, children }: { readonly label: TextName; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is handed in.
    <label className="flex flex-col gap-1 text-sm">
      {t(label)}
      {children}
    </label>
  );
}
