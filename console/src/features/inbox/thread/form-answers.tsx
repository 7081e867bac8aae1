import type { InboundItem } from '../../../live/model.ts';

/** What the customer entered into a form. */
export function FormAnswers({ item }: { readonly item: InboundItem }) {
  const answers = answersOf(item);
  if (answers.length === 0) return null;
  return (
    <dl className="my-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
      {answers.map(([name, value]) => (
        <div key={name} className="contents">
          <dt dir="auto" className="text-muted">
            {name}
          </dt>
          <dd dir="auto" className="[overflow-wrap:anywhere]">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function answersOf({ flow_response: form }: InboundItem): readonly (readonly [string, unknown])[] {
  const data = form?.data;
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.entries(data) : [];
}
