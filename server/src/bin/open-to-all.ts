import type { AddressInfo } from 'node:net';
import { listenOnOtherLoopback } from '#http/listen-on-loopback';
import type { Runtime } from '#runtime/runtime';
import type { CellHost } from './cells.ts';
import type { StartedCell } from './served-cells.ts';

type Stop = () => Promise<void>;

/** A service that listens. */
export interface Running {
  readonly url: string;
  /** In the order in which they must stop. */
  readonly stops: readonly Stop[];
}

/** Listens: what comes is for the main cell, or for the one that the host of the cells finds. */
export async function openToAll(rt: Runtime, main: StartedCell, cells: CellHost | null): Promise<Running> {
  const { app, metricsApp } = main;
  await app?.ready();
  await cells?.open(main);
  await app?.listen({ host: rt.config.host, port: rt.config.port });
  const closeOther = app ? await listenOnOtherLoopback(rt, app.server) : null;
  await metricsApp?.listen({ host: rt.config.host, port: rt.config.metricsPort });
  const address = app?.server.address() as AddressInfo | null | undefined;
  const url = address ? `http://${hostInUrl(rt.config.host)}:${address.port}` : '';
  return {
    url,
    stops: [
      async () => closeOther?.(),
      async () => void (await cells?.endWaits()),
      ...main.endWaits,
      ...main.stopEntrances,
      async () => void (await cells?.close()),
      ...main.stopWork,
    ],
  };
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
