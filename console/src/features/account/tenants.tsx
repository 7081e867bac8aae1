import { useMutation } from '@tanstack/react-query';
import { useMe } from '../../app/me.tsx';
import { switchTenant } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { Problem, Section } from './section.tsx';

/** The tenants that the person works in, for those who work in several. */
export function Tenants() {
  const { tenant, tenants } = useMe();
  const change = useMutation({ mutationFn: switchTenant });
  if (tenants.length < 2) return null;
  return (
    <Section title={t('tenants.title')}>
      <ul className="flex flex-col gap-2">
        {tenants.map(({ id, name, role }) => (
          <li key={id} className="flex items-center gap-3">
            <div className="min-w-0 grow">
              <p dir="auto" className="truncate text-sm">
                {name}
              </p>
              <p className="text-xs text-muted">{role}</p>
            </div>
            {id === tenant.id ? (
              <span className="text-xs text-good">{t('tenants.current')}</span>
            ) : (
              <Button disabled={change.isPending} onClick={() => change.mutate(id)}>
                {t('tenants.switch', { name })}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem error={change.error} />
    </Section>
  );
}
