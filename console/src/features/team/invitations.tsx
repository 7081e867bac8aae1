import { useMutation, useQuery } from '@tanstack/react-query';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { plainTime, type TextName, t } from '../../locales/text.ts';
import { colleaguesQuery, type Person, peopleQuery, type Role, withdrawInvitation } from './requests.ts';

interface Props {
  /** The roles that may be given: invitations to others are not touched. */
  readonly roles: readonly Role[];
  readonly isBusy: boolean;
  readonly onLink: (person: Person) => void;
  readonly onChanged: () => unknown;
}

/** Links that were handed out and not used yet. */
export function Invitations({ roles, isBusy, onLink, onChanged }: Props) {
  const { data: people } = useQuery(peopleQuery);
  const { data: colleagues } = useQuery(colleaguesQuery);
  const withdraw = useMutation({ mutationFn: withdrawInvitation, onSettled: onChanged });
  const pending = (people ?? []).flatMap((person) => {
    const until = colleagues?.get(person.id)?.invitation?.expires_at;
    return until === undefined ? [] : [{ person, until }];
  });
  if (pending.length === 0 && withdraw.error === null) return null;
  return (
    <section aria-labelledby="invitations" className="mt-4">
      <h2 id="invitations" className="font-semibold">
        {t('team.pending')}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted">{t('team.pendingBody')}</p>
      <Refusal error={withdraw.error} after="team" />
      <ul aria-label={t('team.pending')} className="mt-2 divide-y divide-line border-y border-line">
        {pending.map(({ person, until }) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
            <div className="min-w-40 grow">
              <p className="truncate text-sm" dir="auto">
                {person.name}
              </p>
              <p className="truncate text-xs text-muted">
                {t(`team.role.${person.role}` as TextName)} · {t('team.until', { time: plainTime(until) })}
              </p>
            </div>
            {roles.some((role) => role === person.role) && (
              <div className="flex gap-x-3">
                <Button
                  disabled={isBusy}
                  onClick={() => onLink(person)}
                  aria-label={`${t('team.newLink')}: ${person.name}`}
                >
                  {t('team.newLink')}
                </Button>
                <Button
                  look="quiet"
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(person.id)}
                  aria-label={`${t('team.withdraw')}: ${person.name}`}
                >
                  {t('team.withdraw')}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
