/** What the address of the dialog is made of. */
export interface DialogSettings {
  /** MESSAGING_DIALOG_URL; empty: follows from the network's address. */
  readonly dialogUrl: string;
  readonly networkUrl: string;
  readonly networkVersion: string;
  readonly appId: string;
  /** Empty: none. */
  readonly linkConfigId: string;
}

const GRAPH_HOST = 'graph.facebook.com';
const DIALOG_ADDRESS = 'https://www.facebook.com';

/** The address of the embedded-signup dialog, for a browser. */
export function dialogAddress(
  settings: DialogSettings,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string },
): string {
  const query = new URLSearchParams({
    client_id: settings.appId,
    redirect_uri: redirectUri,
    response_type: 'code',
    override_default_response_type: 'true',
    state,
    extras: JSON.stringify({ setup: {}, version: 'v4' }),
  });
  if (settings.linkConfigId !== '') query.set('config_id', settings.linkConfigId);
  return `${dialogBase(settings).replace(/\/$/, '')}/${settings.networkVersion}/dialog/oauth?${query}`;
}

/** The real network shows its dialog on another host than its interface. */
function dialogBase({ dialogUrl, networkUrl }: DialogSettings): string {
  if (dialogUrl !== '') return dialogUrl;
  return new URL(networkUrl).hostname === GRAPH_HOST ? DIALOG_ADDRESS : networkUrl;
}
