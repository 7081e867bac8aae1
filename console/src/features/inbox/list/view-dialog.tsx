import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useMe } from '../../../app/me.tsx';
import { createView, type SavedView, updateView } from '../../../app/saved-views.ts';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';
import { conditionOf, emptyForm, formOf } from './view-condition.ts';
import { ViewFields } from './view-fields.tsx';

interface Props {
  /** The view to change; null: a new one. */
  readonly view: SavedView | null;
  readonly onClose: () => void;
  readonly onSaved: (view: SavedView) => void;
}

/** Names a condition, so that its conversations stand in the sidebar. */
export function ViewDialog({ view, onClose, onSaved }: Props) {
  const { permissions } = useMe();
  const queries = useQueryClient();
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setShared] = useState(view?.shared ?? false);
  const [form, setForm] = useState(view === null ? emptyForm : formOf(view.when));
  const [state, setState] = useState<{ readonly isSaving: boolean; readonly fault: string | null }>({
    isSaving: false,
    fault: null,
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setState({ isSaving: true, fault: null });
    const input = { name: name.trim(), shared: isShared, when: form === null ? (view?.when ?? {}) : conditionOf(form) };
    try {
      const saved = await (view === null ? createView(input) : updateView(view, input));
      await Promise.all(['views', 'view-counts'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
      onSaved(saved);
    } catch (error) {
      setState({ isSaving: false, fault: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-[rgb(10_12_20/32%)]" />
        <Dialog.Popup className="popup scroll-area fixed inset-x-3 top-[8dvh] mx-auto max-h-[84dvh] max-w-md p-4">
          <Dialog.Title className="pb-3 text-base font-semibold">
            {view === null ? t('saved.new') : t('saved.edit', { name: view.name })}
          </Dialog.Title>
          <form onSubmit={save} className="flex flex-col gap-3">
            <label className="flex flex-col gap-1 text-sm">
              {t('saved.name')}
              <input
                className="h-control rounded-md border border-line-strong bg-raised px-2"
                value={name}
                maxLength={100}
                required
                onChange={(event) => setName(event.target.value)}
              />
            </label>
            {form === null ? (
              <p className="text-sm text-muted">{t('saved.other')}</p>
            ) : (
              <ViewFields form={form} onChange={setForm} />
            )}
            {permissions.includes('agents:manage') && (
              <label className="flex items-center gap-2 text-sm">
                <input type="checkbox" checked={isShared} onChange={(event) => setShared(event.target.checked)} />
                {t('saved.all')}
              </label>
            )}
            {state.fault !== null && (
              <p role="alert" className="text-sm text-bad">
                {state.fault}
              </p>
            )}
            <div className="flex flex-wrap justify-end gap-2 pt-1">
              <Button onClick={onClose}>{t('saved.cancel')}</Button>
              <Button look="primary" type="submit" disabled={state.isSaving}>
                {t('saved.save')}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
