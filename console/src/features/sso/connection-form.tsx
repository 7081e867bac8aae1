import { type FormEvent, useState } from 'react';
import { useMe } from '../../app/me.tsx';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { t } from '../../locales/text.ts';
import { GroupRoles, RoleSelect } from './group-roles.tsx';
import { IssuerTest } from './issuer-test.tsx';
import { OnlyWay } from './only-way.tsx';
import type { SsoConnection, SsoFields } from './requests.ts';

interface Props {
  /** Null: it is made now. */
  readonly connection: SsoConnection | null;
  readonly error: Error | null;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  /** @param onSaved called when the service has stored them */
  readonly onSave: (fields: SsoFields, onSaved: () => void) => void;
}

const NEW: SsoFields = {
  ...{ issuer: '', client_id: '', scopes: ['profile', 'email'], groups_claim: 'groups', roles: [] },
  ...{ default_role: null, allow_new: false, only: false, break_glass_agent_id: null },
};

function fieldsOf({ issuer, client_id, scopes, groups_claim, ...rest }: SsoConnection): SsoFields {
  const { roles, default_role, allow_new, only, break_glass_agent_id } = rest;
  return { issuer, client_id, scopes, groups_claim, roles, default_role, allow_new, only, break_glass_agent_id };
}

/** The connection as it is written. The secret is written, and never read. */
export function ConnectionForm({ connection, error, isSaving, isSaved, onSave }: Props) {
  const me = useMe();
  const isOwner = me.agent?.role === 'owner';
  const [fields, setFields] = useState<SsoFields>(connection === null ? NEW : fieldsOf(connection));
  const [secret, setSecret] = useState('');
  const change = (part: Partial<SsoFields>) => setFields((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const issuer = fields.issuer.trim();
    const given = secret === '' ? {} : { client_secret: secret };
    onSave({ ...fields, issuer, ...given }, () => setSecret(''));
  };
  const isKept =
    connection !== null && connection.issuer === fields.issuer && connection.client_id === fields.client_id;
  return (
    <form onSubmit={submit} aria-label={t('ssoPage.title')} className="flex flex-col gap-4 py-5">
      <TextField
        label={t('ssoPage.issuer')}
        hint={t('ssoPage.issuerHint')}
        type="url"
        required
        maxLength={500}
        value={fields.issuer}
        onChange={(event) => change({ issuer: event.currentTarget.value })}
      />
      <IssuerTest issuer={fields.issuer.trim()} groupsClaim={fields.groups_claim} />
      <TextField
        label={t('ssoPage.clientId')}
        required
        maxLength={300}
        autoComplete="off"
        value={fields.client_id}
        onChange={(event) => change({ client_id: event.currentTarget.value })}
      />
      <TextField
        label={t('ssoPage.secret')}
        hint={isKept ? t('ssoPage.secretKept') : undefined}
        type="password"
        required={!isKept}
        maxLength={500}
        autoComplete="new-password"
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <TextField
        label={t('ssoPage.claim')}
        required
        maxLength={200}
        autoComplete="off"
        value={fields.groups_claim}
        onChange={(event) => change({ groups_claim: event.currentTarget.value })}
      />
      <GroupRoles roles={fields.roles} isOwner={isOwner} onChange={(roles) => change({ roles })} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="font-medium">{t('ssoPage.defaultRole')}</span>
        <RoleSelect
          label={t('ssoPage.defaultRole')}
          value={fields.default_role}
          isOwner={isOwner}
          none={t(fields.roles.length === 0 ? 'ssoPage.noRoleNew' : 'ssoPage.noRole')}
          onChange={(role) => change({ default_role: role })}
        />
      </div>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={fields.allow_new}
          onChange={(event) => change({ allow_new: event.currentTarget.checked })}
        />
        {t('ssoPage.allowNew')}
      </label>
      <OnlyWay
        only={fields.only}
        breakGlassId={fields.break_glass_agent_id}
        isOwner={isOwner}
        onChange={({ only, breakGlassId }) => change({ only, break_glass_agent_id: breakGlassId })}
      />
      <Refusal error={error} after="sso" />
      {isSaved && !isSaving && error === null && (
        <p role="status" className="text-sm text-good">
          {t('ssoPage.saved')}{' '}
          {me.sign_in.single_sign_on !== null && (
            <a
              href={`${me.sign_in.single_sign_on.start_url}?link=true&return_to=/settings/sso`}
              className="font-medium underline underline-offset-2"
            >
              {t('ssoPage.tryIt')}
            </a>
          )}
        </p>
      )}
      <Button type="submit" look="primary" disabled={isSaving} className="self-end">
        {t('ssoPage.save')}
      </Button>
    </form>
  );
}
