/** What the form of a view offers, as a condition of the API and back. */

export interface ViewForm {
  readonly status: string;
  /** Empty: anybody; `none`: nobody; `me`: whoever looks; else an id. */
  readonly assignee: string;
  readonly tag: string;
  readonly contactTag: string;
  readonly isUnread: boolean;
  readonly isWaiting: boolean;
  readonly isUrgent: boolean;
}

export const emptyForm: ViewForm = {
  status: 'open',
  assignee: '',
  tag: '',
  contactTag: '',
  isUnread: false,
  isWaiting: false,
  isUrgent: false,
};

const UNASSIGNED = { field: 'conversation.assignee_id', match: 'missing' };
const UNREAD = { field: 'conversation.unread_count', match: 'gt', value: 0 };
const WAITING = { field: 'conversation.waiting_since', match: 'exists' };
const URGENT = { field: 'conversation.priority', match: 'in', value: ['high', 'urgent'] };
/** Without any other condition: every conversation has it. */
const EVERY = { field: 'conversation.created_at', match: 'exists' };

const is = (field: string, value: string) => ({ field: `conversation.${field}`, match: 'is', value });
const has = (field: string, value: string) => ({ field, match: 'has', value });

export function conditionOf(form: ViewForm): { readonly all: readonly object[] } {
  const { assignee, tag, contactTag } = form;
  const parts = [
    form.status !== '' && is('status', form.status),
    assignee !== '' && (assignee === 'none' ? UNASSIGNED : is('assignee_id', assignee)),
    tag.trim() !== '' && has('conversation.tags', tag.trim()),
    contactTag.trim() !== '' && has('contact.tags', contactTag.trim()),
    form.isUnread && UNREAD,
    form.isWaiting && WAITING,
    form.isUrgent && URGENT,
  ].filter((part) => part !== false);
  return { all: parts.length === 0 ? [EVERY] : parts };
}

/** The form of a condition; null when it says what the form does not offer. */
export function formOf(when: object): ViewForm | null {
  const parts = (when as { all?: readonly { field?: string; value?: unknown }[] }).all ?? [];
  const given = (field: string) => String(parts.find((part) => part.field === field)?.value ?? '');
  const holds = (part: object) => parts.some((one) => same(one, part));
  const form = {
    status: given('conversation.status'),
    assignee: holds(UNASSIGNED) ? 'none' : given('conversation.assignee_id'),
    tag: given('conversation.tags'),
    contactTag: given('contact.tags'),
    isUnread: holds(UNREAD),
    isWaiting: holds(WAITING),
    isUrgent: holds(URGENT),
  };
  return same(conditionOf(form), when) ? form : null;
}

/** Whether two conditions say the same; the service hands back the members of an object in an order of its own. */
function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)]);
}
