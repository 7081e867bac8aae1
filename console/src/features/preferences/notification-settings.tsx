import { useState } from 'react';
import { useMe } from '../../app/me.tsx';
import {
  type Channel,
  type NotificationKind,
  type NotificationPreferences,
  readPreferences,
} from '../../app/notifications/notification-preferences.ts';
import type { Device } from '../../app/push/use-device.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { t } from '../../locales/text.ts';
import { KindsTable } from './kinds-table.tsx';
import { ThisDevice } from './this-device.tsx';

const USUAL_HOURS = { from: '20:00', to: '08:00' };

interface Props {
  readonly device: Device;
  readonly onClose: () => void;
  /** Rejects with the reason when the change is not kept. */
  readonly onSave: (notifications: NotificationPreferences) => Promise<void>;
}

/** What somebody is notified of, and how. Every change is kept at once. */
export function NotificationSettings({ device, onClose, onSave }: Props) {
  const { preferences } = useMe();
  const chosen = readPreferences(preferences);
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (what: Partial<NotificationPreferences>) => {
    try {
      await onSave({ ...chosen, ...what });
      setFailure(null);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const toggle = (kind: NotificationKind, channel: Channel) => {
    const channels = { ...chosen.kinds[kind], [channel]: !chosen.kinds[kind][channel] };
    void change({ kinds: { ...chosen.kinds, [kind]: channels } });
  };
  const hours = chosen.quiet_hours;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Panel isOpen onClose={onClose} title={t('notification.preferences')}>
      <div className="flex flex-col gap-5 p-5 text-sm">
        <KindsTable chosen={chosen} onToggle={toggle} />
        <Desktop />
        <ThisDevice
          device={device}
          hasText={chosen.push_text}
          onText={(hasText) => void change({ push_text: hasText })}
        />
        <Check
          label={t('preference.sound')}
          isOn={chosen.sound}
          onChange={() => void change({ sound: !chosen.sound })}
        />
        <Check
          label={t('preference.quiet')}
          isOn={hours !== null}
          onChange={() => void change({ quiet_hours: hours === null ? { ...USUAL_HOURS, time_zone: timeZone } : null })}
        />
        {hours !== null && (
          <div className="flex flex-wrap items-center gap-3 ps-6">
            {(['from', 'to'] as const).map((name) => (
              <label key={name} className="flex items-center gap-2 text-muted">
                {t(`preference.${name}`)}
                <input
                  type="time"
                  value={hours[name]}
                  onChange={({ target: { value } }) =>
                    value && void change({ quiet_hours: { ...hours, [name]: value } })
                  }
                  className="h-control rounded-md border border-line-strong bg-raised px-2 text-ink"
                />
              </label>
            ))}
            <span className="text-muted">{hours.time_zone}</span>
          </div>
        )}
        {failure !== null && (
          <p role="alert" className="text-bad">
            {t('preference.failed', { reason: failure })}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** Browsers ask only after a click, and never again once they were told no. */
function Desktop() {
  const isThere = typeof Notification !== 'undefined';
  const [permission, setPermission] = useState(isThere ? Notification.permission : 'denied');
  if (permission === 'granted') return <p className="text-muted">{t('preference.desktopOn')}</p>;
  if (permission === 'denied') return <p className="text-muted">{t('preference.desktopDenied')}</p>;
  const ask = async () => setPermission(await Notification.requestPermission());
  return (
    <div>
      <Button onClick={() => void ask()}>{t('preference.desktopAsk')}</Button>
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: () => void;
}

function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label className="flex items-center gap-2">
      <input type="checkbox" checked={isOn} onChange={onChange} className="size-4 accent-accent" />
      {label}
    </label>
  );
}
