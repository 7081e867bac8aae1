import { Building2 } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { type TextName, t } from '../../locales/text.ts';

/** Which connection the browser signed in by, or was sent back from. It names a tenant, which is no secret. */
const REMEMBERED = 'postrider.sso';
const ID = /^[0-9a-f-]{36}$/;

const PROBLEMS: Readonly<Record<string, TextName>> = {
  expired: 'sso.expired',
  unknown: 'sso.unknown',
  no_role: 'sso.noRole',
  taken: 'sso.taken',
  unavailable: 'sso.unavailable',
  unreachable: 'sso.unreachable',
  refused: 'sso.refused',
};

/** The connection of the address, or else the one that was used here before; null: this browser knows none. */
function connectionId(): string | null {
  const given = new URLSearchParams(location.search).get('sso') ?? localStorage.getItem(REMEMBERED);
  return given !== null && ID.test(given) ? given : null;
}

/** Leads to the identity provider of the tenant, where there is one, and says why somebody came back without being signed in. */
export function SsoButton() {
  const id = connectionId();
  const problem = new URLSearchParams(location.search).get('sso_problem');
  const leave = () => {
    localStorage.setItem(REMEMBERED, id ?? '');
    location.assign(`/v1/sso/${id}/start`);
  };
  return (
    <>
      {problem !== null && (
        <p role="alert" className="text-sm text-pretty text-bad">
          {t(PROBLEMS[problem] ?? 'sso.refused')}
        </p>
      )}
      {id !== null && (
        <Button className="h-field w-full" onClick={leave}>
          <Building2 size={15} aria-hidden="true" />
          {t('sso.signIn')}
        </Button>
      )}
    </>
  );
}
