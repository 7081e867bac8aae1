import { useQuery } from '@tanstack/react-query';
import type { TraceItem } from '../../../app/resources.ts';
import { traceQuery } from '../../../app/resources.ts';
import { Panel } from '../../../components/panel.tsx';
import { exactTime, shortSpan, t } from '../../../locales/text.ts';
import { waitingText } from './waiting-text.ts';

interface Props {
  readonly messageId: string | null;
  readonly onClose: () => void;
}

/** What happened to a message, as a short story; what the service recorded of each step is one fold deeper. */
export function Trace({ messageId, onClose }: Props) {
  return (
    <Panel isOpen={messageId !== null} onClose={onClose} title={t('trace.title')}>
      {messageId !== null && <Story messageId={messageId} />}
    </Panel>
  );
}

function Story({ messageId }: { readonly messageId: string }) {
  const { data: trace, error } = useQuery(traceQuery(messageId));
  if (error) return <p className="p-5 text-bad">{error.message}</p>;
  if (trace === undefined) return <div className="skeleton m-5 h-24" aria-busy="true" />;
  const { data: items, waiting } = trace;
  const begunMs = Date.parse(items[0]?.at ?? '');
  return (
    <div className="p-5">
      <ol className="relative flex flex-col gap-4 border-s border-line ps-5">
        {items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a trace only grows at its end.
          <Step key={place} item={item} sinceMs={Date.parse(item.at) - begunMs} isLast={place === items.length - 1} />
        ))}
      </ol>
      {waiting !== null && (
        <p role="status" className="mt-4 rounded-md bg-hover px-3 py-2 text-sm">
          {waitingText(waiting)}
        </p>
      )}
      <p className="mt-5 font-mono text-2xs text-muted">{messageId}</p>
    </div>
  );
}

function Step({
  item,
  sinceMs,
  isLast,
}: {
  readonly item: TraceItem;
  readonly sinceMs: number;
  readonly isLast: boolean;
}) {
  const isBad = /fail|refus|reject|expire/.test(item.event);
  const hasData = item.data !== undefined && Object.keys(item.data).length > 0;
  return (
    <li className="relative">
      <span
        className={`absolute top-1.5 -start-[24.500px] size-2 rounded-full ring-4 ring-raised ${isBad ? 'bg-bad' : isLast ? 'bg-accent' : 'bg-line-strong'}`}
      />
      <p className="flex items-baseline justify-between gap-4">
        <span className={isBad ? 'text-bad' : ''}>{item.detail}</span>
        <time dateTime={item.at} title={exactTime(item.at)} className="shrink-0 text-xs text-muted tabular-nums">
          {sinceMs < 1_000 ? `+${sinceMs} ms` : `+${shortSpan(sinceMs)}`}
        </time>
      </p>
      {hasData && (
        <details className="mt-0.5 text-xs text-muted">
          <summary className="w-fit cursor-pointer rounded py-1 pointer-coarse:py-3.5">{t('trace.recorded')}</summary>
          <pre className="mt-1 overflow-x-auto rounded-md bg-ground p-2 font-mono text-2xs">
            {JSON.stringify(item.data, null, 2)}
          </pre>
        </details>
      )}
    </li>
  );
}
