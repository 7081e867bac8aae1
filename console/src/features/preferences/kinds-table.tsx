import {
  CHANNELS,
  type Channel,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationPreferences,
} from '../../app/notifications/notification-preferences.ts';
import { t } from '../../locales/text.ts';

interface Props {
  readonly chosen: NotificationPreferences;
  readonly onToggle: (kind: NotificationKind, channel: Channel) => void;
}

/** For each kind of notification, how it is shown. */
export function KindsTable({ chosen, onToggle }: Props) {
  return (
    <table className="w-full">
      <thead>
        <tr className="text-start text-xs text-muted">
          <th scope="col" className="pb-1 text-start font-medium">
            {t('preference.kind')}
          </th>
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col" className="w-24 pb-1 font-medium">
              {t(`preference.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {NOTIFICATION_KINDS.map((kind) => (
          <tr key={kind} className="border-t border-line">
            <th scope="row" className="py-2 text-start font-normal">
              {t(`preference.${kind}`)}
            </th>
            {CHANNELS.map((channel) => (
              <td key={channel}>
                <label className="grid place-items-center">
                  <input
                    type="checkbox"
                    aria-label={`${t(`preference.${kind}`)}: ${t(`preference.${channel}`)}`}
                    checked={chosen.kinds[kind][channel] && chosen.kinds[kind].page}
                    disabled={channel === 'desktop' && !chosen.kinds[kind].page}
                    onChange={() => onToggle(kind, channel)}
                    className="size-4 accent-accent"
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
