import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { t } from '../../locales/text.ts';
import type { AppCommand } from '../command-registry.ts';
import { useCommands } from '../commands.tsx';
import { useMe } from '../me.tsx';
import { type DeviceState, readDevice, turnDeviceOff, turnDeviceOn } from './device.ts';

/** This browser, as the preferences show it. */
export interface Device {
  /** Null: it is not known yet. */
  readonly state: DeviceState | null;
  readonly isChanging: boolean;
  /** Why the last change failed, or why the state could not be read. */
  readonly failure: string | null;
  /** Asks again whether it is on. */
  readonly read: () => void;
  readonly turnOn: () => void;
  readonly turnOff: () => void;
}

/** Knows whether this browser is sent notifications, and leads to what somebody clicked on. It is there once. */
export function useDevice(): Device {
  const userId = useMe().user?.id ?? null;
  const [state, setState] = useState<DeviceState | null>(null);
  const [isChanging, setChanging] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const change = useCallback(async (to: () => Promise<DeviceState>) => {
    setChanging(true);
    setFailure(null);
    try {
      setState(await to());
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setChanging(false);
    }
  }, []);
  const turnOn = useCallback(() => {
    if (userId !== null) void change(() => turnDeviceOn(userId));
  }, [change, userId]);
  const turnOff = useCallback(() => void change(turnDeviceOff), [change]);
  const read = useCallback(() => {
    if (userId !== null) void change(() => readDevice(userId));
  }, [change, userId]);
  useEffect(read, [read]);
  useClicks();
  useCommands(
    useMemo<readonly AppCommand[]>(() => {
      const command = { group: 'group.general' as const };
      if (state === 'off') return [{ ...command, id: 'push-on', name: t('push.turnOn'), run: turnOn }];
      return state === 'on' ? [{ ...command, id: 'push-off', name: t('push.turnOff'), run: turnOff }] : [];
    }, [state, turnOn, turnOff]),
  );
  return { state, isChanging, failure, read, turnOn, turnOff };
}

/** A click on a popup reaches the worker, which brings this page to the front and names what to open. */
function useClicks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const open = ({ data }: MessageEvent) => {
      const { open: to } = (data ?? {}) as { readonly open?: unknown };
      if (typeof to === 'string') void navigate({ to });
    };
    navigator.serviceWorker.addEventListener('message', open);
    return () => navigator.serviceWorker.removeEventListener('message', open);
  }, [navigate]);
}
