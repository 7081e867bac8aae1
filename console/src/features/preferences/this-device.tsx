import type { Device } from '../../app/push/use-device.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';

interface Props {
  readonly device: Device;
  /** Whether what is sent to devices has the text of messages and notes. */
  readonly hasText: boolean;
  readonly onText: (hasText: boolean) => void;
}

/** Notifications on this device while no page is open. */
export function ThisDevice({ device, hasText, onText }: Props) {
  const { state, isChanging, failure } = device;
  const canChange = state === 'on' || state === 'off';
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{t('push.title')}</legend>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={state === 'on'}
          disabled={!canChange || isChanging}
          onChange={state === 'on' ? device.turnOff : device.turnOn}
          className="size-4 shrink-0 accent-accent"
        />
        {t('push.switch')}
      </label>
      <p className="ps-6 text-muted" role="status">
        {state === null || isChanging ? (failure === null ? t('push.checking') : '') : t(`push.${state}`)}
      </p>
      {state === 'on' && (
        <label className="flex items-center gap-2 ps-6">
          <input
            type="checkbox"
            checked={hasText}
            onChange={() => onText(!hasText)}
            className="size-4 shrink-0 accent-accent"
          />
          {t('push.text')}
        </label>
      )}
      {failure !== null && (
        <div role="alert" className="flex flex-wrap items-center gap-3 ps-6 text-bad">
          {t('push.failed', { reason: failure })}
          {state === null && <Button onClick={device.read}>{t('action.tryAgain')}</Button>}
        </div>
      )}
    </fieldset>
  );
}
