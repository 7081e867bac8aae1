import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLive } from '../../../app/live.tsx';
import { previewQuery, type Template, templatesQuery } from '../../../app/resources.ts';
import { Button } from '../../../components/button.tsx';
import { Linked } from '../../../components/linked.tsx';
import { Panel } from '../../../components/panel.tsx';
import { State } from '../../../components/state.tsx';
import type { Conversation } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { templateText } from './template-text.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly one: Conversation;
}

/** Chooses a template, fills in its values beside what the customer will read, and sends it. */
export function TemplatePicker({ isOpen, onClose, one }: Props) {
  return (
    <Panel isOpen={isOpen} onClose={onClose} title={t('template.choose')} isWide>
      <Choice one={one} onClose={onClose} />
    </Panel>
  );
}

function Choice({ one, onClose }: Omit<Props, 'isOpen'>) {
  const { data: templates, error } = useQuery(templatesQuery);
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (error) return <p className="p-5 text-bad">{error.message}</p>;
  if (templates === undefined) return <div className="skeleton m-5 h-40" aria-busy="true" />;
  if (templates.length === 0) return <State title={t('template.none')} body={t('template.noneBody')} />;
  const chosen = templates.find(({ id }) => id === chosenId) ?? templates[0];
  return (
    <div className="grid min-h-72 md:grid-cols-[15rem_1fr]">
      <ul className="scroll-area max-h-40 border-b border-line p-1.5 md:max-h-none md:border-e md:border-b-0">
        {templates.map((template) => (
          <li key={template.id}>
            <button
              type="button"
              aria-pressed={template.id === chosen?.id}
              onClick={() => setChosenId(template.id)}
              className="w-full rounded-md px-2.5 py-2 text-start hover:bg-hover aria-pressed:bg-selected"
            >
              <span className="block truncate text-sm font-medium">{template.name}</span>
              <span className="block truncate text-xs text-muted">{templateText(template, null)}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && <Values key={chosen.id} template={chosen} one={one} onClose={onClose} />}
    </div>
  );
}

/** Whether a value of this name is the customer's name. */
const isName = (key: string): boolean => key === '1' || /name/i.test(key);

function Values({ template, one, onClose }: { readonly template: Template } & Omit<Props, 'isOpen'>) {
  const live = useLive();
  const { contact } = one;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { data: preview } = useQuery({ ...previewQuery(template.id, values), placeholderData: keepPreviousData });
  const isFilled = template.variables.every(({ key }) => (values[key] ?? '').trim() !== '');
  const send = () => {
    const given = template.variables.length === 0 ? {} : { variables: values };
    const content = {
      type: 'template',
      template: { name: template.name, language: template.language, ...given },
    } as const;
    live.submit(one.id, { kind: 'reply', content, after: null, force: false });
    onClose();
  };
  return (
    <div className="flex flex-col gap-4 p-4">
      {template.variables.map(({ key, where, example }) => (
        <label key={key} className="block">
          <span className="text-xs font-medium text-muted first-letter:uppercase inline-block">
            {/^\d+$/.test(key) ? t('template.value', { key, where }) : key.replaceAll('_', ' ')}
          </span>
          <input
            dir="auto"
            value={values[key] ?? ''}
            placeholder={example ?? ''}
            onChange={(event) => setValues({ ...values, [key]: event.target.value })}
            className="mt-1 h-control w-full rounded-md border border-line-strong bg-surface px-2.5"
          />
          {contact?.name && !values[key] && isName(key) && (
            <button
              type="button"
              onClick={() => setValues({ ...values, [key]: contact.name ?? '' })}
              className="mt-1 block min-h-control-small rounded text-xs text-accent hover:underline"
            >
              {t('template.useName', { name: contact.name })}
            </button>
          )}
        </label>
      ))}
      <div>
        <p className="mb-1.5 text-xs font-medium text-muted">{t('template.preview')}</p>
        <div className="rounded-lg bg-ground p-3">
          <div className="w-fit max-w-full rounded-xl rounded-es-md border border-line bg-raised px-3 py-2">
            {preview?.header?.text && <p className="font-semibold">{preview.header.text}</p>}
            <Linked text={preview?.body ?? templateText(template, values)} />
            {preview?.footer && <p className="pt-1 text-xs text-muted">{preview.footer}</p>}
            {preview?.buttons.map(({ text }) => (
              <p key={text} className="mt-1.5 border-t border-line pt-1.5 text-center font-medium text-accent">
                {text}
              </p>
            ))}
          </div>
        </div>
      </div>
      <div className="mt-auto flex items-center justify-end gap-3">
        <span className="text-xs text-muted">
          {t('template.about', { category: template.category, language: template.language })}
        </span>
        <Button look="primary" onClick={send} disabled={!isFilled}>
          {t('template.send')}
        </Button>
      </div>
    </div>
  );
}
