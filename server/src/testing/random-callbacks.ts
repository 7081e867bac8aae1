/**
 * Random callbacks of the network that know, item by item, what must become of each: the count against which the service
 * is checked. It shares nothing with the code that reads callbacks.
 */

/** What must become of one item. */
export type Fate =
  /** A row of `inbound_messages`. */
  | { readonly kind: 'inbound'; readonly tenant: number; readonly id: string }
  /** An edit of a message that is not here: a row of `parked_changes`. */
  | { readonly kind: 'changed'; readonly tenant: number; readonly id: string }
  /** A status of a message that is not known yet: a row of `parked_statuses`. */
  | { readonly kind: 'parked'; readonly tenant: number; readonly id: string; readonly status: string }
  /** A status of a message that was sent: its time. */
  | { readonly kind: 'read'; readonly message: number }
  /** An event of the first tenant. */
  | { readonly kind: 'notice'; readonly serial: number }
  /** The newest of these counts. */
  | { readonly kind: 'number'; readonly reported: string; readonly at: number }
  | { readonly kind: 'template'; readonly reported: string; readonly at: number }
  /** A row of `callback_leftovers` under this name, with a reason. */
  | { readonly kind: 'left'; readonly name: string };

export interface PlannedCallback {
  readonly body: string;
  /** Of its items, in the order of the body. */
  readonly fates: readonly Fate[];
  /** The network may tell a callback again. */
  readonly times: number;
}

/** What callbacks can be about. */
export interface CallbackWorld {
  /** Stands in every id and body, so that a run can be told from others. */
  readonly run: string;
  readonly tenants: readonly { readonly phoneNumberId: string; readonly displayPhone: string }[];
  /** Sent messages of the first tenant, by the network's ids. */
  readonly sent: readonly { readonly networkMessageId: string; readonly to: string }[];
  /** Signed by us, of a message that is not there; of the first tenant. */
  readonly strayToken: string;
  readonly template: {
    readonly accountId: string;
    readonly id: string;
    readonly name: string;
    readonly language: string;
  };
}

/** When sent messages were read, in the network's seconds. */
export const READ_AT_S = 1_790_000_777;
const BEGIN_S = 1_600_000_000;
/** Of the fields that are sent here, those that are about an account; nobody has the one that they name. */
const NOTICE_FIELDS: readonly string[] = ['account_alerts', 'flows', 'security'];
/** So many first characters of a body are like those of no other. */
export const KEY_CHARACTERS = 50;
const SERIAL_DIGITS = 8;

/** One callback in this many, from an early one on, holds 1 to 3 MB, the most that the network sends. */
const LARGE_ONE_IN = 250;
const FIRST_LARGE = 20;
const MB = 1024 * 1024;

interface Part {
  readonly json: unknown;
  readonly fates: readonly Fate[];
}

/** Makes callbacks one after the other; the same `next` gives the same ones. */
export function callbackMaker(world: CallbackWorld, next: () => number): () => PlannedCallback {
  let serial = 0;
  let made = 0;
  const reported: string[] = [];
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const newId = (): string => `wamid.${world.run}.${++serial}`;
  const left = (name: string, json: unknown): Part => ({ json, fates: [{ kind: 'left', name }] });
  const malformed = (...kinds: readonly unknown[]): Part => left('malformed', pick(kinds));
  const several = (most: number, make: () => Part): readonly Part[] => Array.from({ length: below(most + 1) }, make);

  /** @param tenant -1: nobody has the number */
  function message(tenant: number, bytes: number): Part {
    if (next() < 0.1) return malformedMessage();
    // A repetition is one of the same number; the first one's are enough.
    const again = tenant === 0 && next() < 0.05 ? reported[below(reported.length)] : undefined;
    const id = again ?? newId();
    if (tenant === 0) reported.push(id);
    const from = `44770090${1_000 + below(60)}`;
    const content = bytes > 0 ? text(bytes) : pick(contents)(0);
    const json = { from, id, timestamp: stamp(), ...content };
    if (tenant < 0) return left('unknown_number', json);
    return { json, fates: [{ kind: 'edit' in content ? 'changed' : 'inbound', tenant, id }] };
  }

  function malformedMessage(): Part {
    const whole = { from: '447700901000', id: newId(), timestamp: stamp(), type: 'text', text: { body: 'Hi' } };
    const { id: _id, ...nameless } = whole;
    const { from: _from, ...senderless } = whole;
    const { timestamp: _timestamp, ...timeless } = whole;
    return malformed(42, null, 'text', [], true, {}, nameless, senderless, timeless, { ...whole, timestamp: 'now' });
  }

  function status(tenant: number): Part {
    const draw = next();
    const id = newId();
    const word = pick(['sent', 'delivered', 'read', 'failed'] as const);
    const whole = { id, status: word, timestamp: stamp(), recipient_id: '447700902000' };
    if (draw < 0.1) return malformed(7, null, [], {}, { ...whole, id: '' }, { ...whole, timestamp: [] });
    if (draw < 0.2) return left('status:deleted', { ...whole, status: 'deleted' });
    if (tenant < 0) return left('unknown_number', whole);
    if (draw < 0.25) return left('unknown_message', { ...whole, recipient_id: undefined });
    if (tenant === 0 && draw < 0.3)
      return left('unknown_message', { ...whole, biz_opaque_callback_data: world.strayToken });
    if (tenant === 0 && draw < 0.5) return readStatus(below(world.sent.length));
    const echo = draw < 0.6 ? { biz_opaque_callback_data: 'what.is.this' } : {};
    const seen = draw < 0.7 ? { json: { ...whole, ...echo, status: 'played' }, status: 'read' } : null;
    const parked = seen ?? { json: { ...whole, ...echo }, status: word };
    return { json: parked.json, fates: [{ kind: 'parked', tenant, id, status: parked.status }] };
  }

  function readStatus(message: number): Part {
    const { networkMessageId: id, to } = world.sent[message] as CallbackWorld['sent'][number];
    const json = { id, status: 'read', timestamp: String(READ_AT_S), recipient_id: to };
    return { json, fates: [{ kind: 'read', message }] };
  }

  const error = (): Part =>
    next() < 0.2
      ? malformed(null, 'oops', 131_000)
      : left('value_error', { code: 131_000, title: 'Something', serial });

  function messagesChange(bytes: number): Part {
    if (next() < 0.05) return malformed({ field: 'messages' }, { field: 'messages', value: 'none' });
    const tenant = next() < 0.1 ? -1 : below(world.tenants.length);
    const phoneNumberId = world.tenants[tenant]?.phoneNumberId ?? '909090909';
    const metadata = { display_phone_number: '15550001111', phone_number_id: phoneNumberId };
    const lists = {
      messages: bytes > 0 ? filled(bytes, (each) => message(tenant, each)) : several(3, () => message(tenant, 0)),
      statuses: next() < 0.05 ? null : several(3, () => status(tenant)),
      errors: next() < 0.8 ? [] : several(2, error),
    };
    const value: Record<string, unknown> = { messaging_product: 'whatsapp', metadata, contacts: pick(contactLists) };
    const fates: Fate[] = [];
    for (const [key, parts] of Object.entries(lists)) {
      value[key] = parts === null ? { 0: 'no list' } : parts.map(({ json }) => json);
      fates.push(...(parts === null ? [leftBy('malformed')] : parts.flatMap((part) => part.fates)));
    }
    return { json: { field: 'messages', value }, fates: fates.length > 0 ? fates : [leftBy('malformed')] };
  }

  /** Parts with long texts, until they hold so many bytes. */
  function filled(bytes: number, make: (bytes: number) => Part): readonly Part[] {
    const parts: Part[] = [];
    for (let held = 0; held < bytes; ) {
      const part = make(1 + below(4_000));
      held += Buffer.byteLength(JSON.stringify(part.json));
      parts.push(part);
    }
    return parts;
  }

  function otherChange(): Part {
    const field = pick(['account_alerts', 'flows', 'history', 'security', 'smb_message_echoes', 'hologram_updates']);
    const value = pick([{ serial: ++serial, metadata: null }, [], null, 'text', 12]);
    const isNotice = NOTICE_FIELDS.includes(field) && typeof value === 'object' && value !== null && 'serial' in value;
    return left(isNotice ? 'unknown_account' : field, { field, value });
  }

  /** What the entry tells has the entry's time and account. */
  function changeEntry(): Part {
    const at = BEGIN_S + ++serial;
    const entry = (field: string, value: object, fate: Fate): Part => ({
      json: { id: world.template.accountId, time: at, changes: [{ field, value }] },
      fates: [fate],
    });
    const { id, name, language } = world.template;
    const template = { message_template_id: id, message_template_name: name, message_template_language: language };
    const nobody = { ...template, message_template_id: serial, message_template_name: `nobody_${serial}` };
    const color = pick(['GREEN', 'YELLOW', 'RED']);
    const [event, quality] = pick([['FLAGGED', 'RED'] as const, ['UNFLAGGED', 'UNKNOWN'] as const]);
    const phone = world.tenants[0]?.displayPhone;
    switch (below(6)) {
      case 0: {
        const value = { ...template, new_quality_score: color };
        return entry('message_template_quality_update', value, { kind: 'template', reported: color.toLowerCase(), at });
      }
      case 1:
        return entry('message_template_status_update', { ...nobody, event: 'APPROVED' }, leftBy('unknown_template'));
      case 2:
        return entry('message_template_status_update', { event: 'APPROVED' }, leftBy('message_template_status_update'));
      case 3:
        return entry(
          'phone_number_quality_update',
          { event, display_phone_number: phone },
          { kind: 'number', reported: quality, at },
        );
      case 4:
        return entry('phone_number_quality_update', { event, display_phone_number: '1' }, leftBy('unknown_number'));
      default:
        return entry('account_update', { event: 'PARTNER_ADDED', serial }, { kind: 'notice', serial });
    }
  }

  function change(bytes: number): Part {
    const draw = bytes > 0 ? 1 : next();
    if (draw < 0.05) return malformed(7, null, 'change', {}, { value: {} }, { field: 3, value: {} });
    return draw < 0.2 ? otherChange() : messagesChange(bytes);
  }

  function entry(bytes: number): Part {
    const draw = bytes > 0 ? 1 : next();
    if (draw < 0.05)
      return malformed('nonsense', null, [], {}, { id: '1' }, { id: '1', changes: [] }, { changes: 'none' });
    if (draw < 0.25) return changeEntry();
    const changes = Array.from({ length: bytes > 0 ? 1 : 1 + below(3) }, () => change(bytes));
    return {
      json: { id: '300', changes: changes.map(({ json }) => json) },
      fates: changes.flatMap(({ fates }) => fates),
    };
  }

  function wholeBody(key: string, isLarge: boolean): Part & { readonly text?: string } {
    const draw = isLarge ? 1 : next();
    if (draw < 0.01) return { json: null, fates: [leftBy('malformed')], text: `{"case":"${key}","entry":[{` };
    if (draw < 0.02)
      return malformed([key], { case: key }, { case: key, object: 'page', entry: [] }, { case: key, entry: 5 });
    const bytes = isLarge ? MB + below(1.8 * MB) : 0;
    const entries = Array.from({ length: 1 + below(bytes > 0 ? 2 : 3) }, (_, index) => entry(index === 0 ? bytes : 0));
    const json = { case: key, object: 'whatsapp_business_account', entry: entries.map((one) => one.json) };
    return { json, fates: entries.flatMap(({ fates }) => fates) };
  }

  return () => {
    const key = `${world.run}.${String(++serial).padStart(SERIAL_DIGITS, '0')}`;
    const { json, fates, text } = wholeBody(key, made++ % LARGE_ONE_IN === FIRST_LARGE);
    return { body: text ?? JSON.stringify(json), fates, times: next() < 0.05 ? 2 : 1 };
  };

  function stamp(): string {
    return String(1_790_000_000 + below(1_000));
  }
}

function leftBy(name: string): Fate {
  return { kind: 'left', name };
}

type Content = (bytes: number) => object;
const text: Content = (bytes) => ({
  type: 'text',
  text: { body: bytes > 0 ? 'é'.repeat(bytes / 2) || 'Hi' : 'Hi 👋' },
});
const contents: readonly Content[] = [
  text,
  text,
  text,
  () => ({ type: 'location', location: { latitude: 1.5, longitude: 2, name: 'Office' } }),
  () => ({ type: 'button', button: { payload: 'p', text: 'Yes' } }),
  () => ({ type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Morning' } } }),
  () => ({ type: 'reaction', reaction: { message_id: 'wamid.NOBODY', emoji: '👍' } }),
  () => ({ type: 'order', order: { catalog_id: '1', text: 'Two please', product_items: [] } }),
  () => ({ type: 'contacts', contacts: [{ name: { formatted_name: 'Ada Obi' } }] }),
  () => ({ type: 'edit', edit: { original_message_id: 'wamid.OLD', message: { type: 'text', text: { body: 'x' } } } }),
  () => ({ type: 'unsupported', errors: [{ code: 131_051 }] }),
  // Of the future, without its object, and with what no text of a database may hold.
  () => ({ type: 'hologram', hologram: { id: '1' } }),
  () => ({ type: 'image' }),
  () => ({ type: 'text', text: { body: 'a\0b\ud800c' } }),
];

/** Never exactly one: that one would be the sender of a message that names nobody. */
const contactLists: readonly unknown[] = [
  undefined,
  [],
  'none',
  [
    { wa_id: '447700901001', profile: { name: 'Ada' } },
    { wa_id: '447700901002', profile: { name: 'Bo' } },
  ],
];
