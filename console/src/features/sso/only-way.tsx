import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { agentsQuery } from '../../app/resources.ts';
import { t } from '../../locales/text.ts';

interface Props {
  readonly only: boolean;
  readonly breakGlassId: string | null;
  /** Whether the person may change it. */
  readonly isOwner: boolean;
  readonly onChange: (change: { readonly only: boolean; readonly breakGlassId: string | null }) => void;
}

/** Whether single sign-on is the only way in, and the owner who is exempt. */
export function OnlyWay({ only, breakGlassId, isOwner, onChange }: Props) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const id = useId();
  const owners = agents.filter(({ role }) => role === 'owner');
  return (
    <fieldset disabled={!isOwner} className="min-w-0 rounded-md border border-line p-3">
      <label className="flex items-center gap-2 text-sm font-medium">
        <input
          type="checkbox"
          checked={only}
          aria-describedby={`${id}-warning`}
          onChange={(event) => onChange({ only: event.currentTarget.checked, breakGlassId })}
        />
        {t('ssoPage.only')}
      </label>
      <p id={`${id}-warning`} className={`mt-1 text-xs text-pretty ${only ? 'text-bad' : 'text-muted'}`}>
        {t('ssoPage.onlyBody')} {!isOwner && t('ssoPage.onlyOwners')}
      </p>
      {(only || breakGlassId !== null) && (
        <label htmlFor={id} className="mt-3 block text-sm font-medium">
          {t('ssoPage.breakGlass')}
          <select
            id={id}
            required={only}
            value={breakGlassId ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              onChange({ only, breakGlassId: value === '' ? null : value });
            }}
            className="mt-1 h-field w-full rounded-md border border-line-strong bg-surface px-2 font-normal"
          >
            <option value="">{t('ssoPage.nobody')}</option>
            {owners.map((owner) => (
              <option key={owner.id} value={owner.id}>
                {owner.name}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}
