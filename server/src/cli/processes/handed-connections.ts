import type { ChildProcess, Serializable } from 'node:child_process';

/** What node:cluster sends to a process, as far as it is looked at: a connection that the process is to serve, with its number. */
interface Handed {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
}

/** A connection that is open in this process, too. */
interface OpenHandle {
  close(): void;
}

/**
 * Closes connections that a process was handed and had not taken when it died. node:cluster forgets them, so that their clients would
 * wait until they give up (`RoundRobinHandle` in lib/internal/cluster of Node); closed, they connect anew.
 */
export function closeWithProcess(child: ChildProcess): void {
  const handed = new Map<number, OpenHandle>();
  const send = child.send.bind(child);
  child.send = ((message: Serializable, handle?: OpenHandle, ...rest: readonly unknown[]) => {
    const { cmd, act, seq } = message as Handed;
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined && handle) handed.set(seq, handle);
    return (send as (...args: unknown[]) => boolean)(message, handle, ...rest);
  }) as typeof child.send;
  // With each answer of the process node:cluster closes its own handle, or hands the connection to another process.
  child.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) handed.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of handed.values()) handle.close();
  });
}
