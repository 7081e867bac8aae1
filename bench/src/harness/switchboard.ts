import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** An address that leads to one server and, once it is switched, to another, as after a failover. */
export interface Switchboard {
  readonly port: number;
  /** New connections go there; those that there are end. */
  switchTo(port: number): void;
  close(): Promise<void>;
}

export async function openSwitchboard(port: number, target: number): Promise<Switchboard> {
  const open = new Set<Socket>();
  let targetPort = target;
  const hangUp = (): void => {
    for (const socket of open) socket.destroy();
  };
  const join = (from: Socket, to: Socket): void => {
    open.add(from);
    from.on('error', () => undefined);
    from.once('close', () => {
      open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  };
  const server = createServer((caller) => {
    const called = connect(targetPort, '127.0.0.1');
    join(caller, called);
    join(called, caller);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port,
    switchTo: (next) => {
      targetPort = next;
      hangUp();
    },
    close: async () => {
      server.close();
      hangUp();
    },
  };
}
