import { useMutation } from '@tanstack/react-query';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { t } from '../../locales/text.ts';
import { type Person, removePerson } from './requests.ts';

interface Props {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Says what goes with a person before they go. */
export function RemovePerson({ person: { id, name }, onClose, onRemoved }: Props) {
  const remove = useMutation({ mutationFn: () => removePerson(id), onSuccess: onRemoved });
  return (
    <Panel isOpen onClose={onClose} title={t('team.deleteTitle', { name })}>
      <div className="flex flex-col gap-4 p-5">
        <p className="text-sm">{t('team.deleteBody', { name })}</p>
        <Refusal error={remove.error} after="team" />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('team.keep')}</Button>
          <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t('team.delete')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
