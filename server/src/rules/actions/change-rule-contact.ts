import { type ContactWork, saveContacts } from '#contacts/actions/save-contacts';
import type { ConsentProof, Contact } from '#contacts/domain/contact';
import { attributeFault } from '#contacts/domain/contact-attribute';
import { applyContactChange, type ContactChange } from '#contacts/domain/contact-change';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { lockContact } from '#contacts/store/contacts';
import type { EvaluatedMessage } from '#rules/domain/facts';
import type { RuleAction } from '#rules/domain/rule';
import type { DoneAction } from '#rules/store/rule-decisions';
import type { RuleActions } from './execute-rule-actions.ts';

/** Actions that change the contact. */
export type ContactAction = Extract<RuleAction, { readonly action: 'opt_out' | 'set_attribute' }>;

export function isContactAction(action: RuleAction): action is ContactAction {
  return action.action === 'opt_out' || action.action === 'set_attribute';
}

/**
 * Holds the contact when an action is about to change it: before its conversation is held, in the order in which messages
 * that come in hold the two.
 */
export async function holdContact({ tx }: Pick<ContactWork, 'tx'>, work: RuleActions): Promise<void> {
  const changes = work.decision.actions.some(({ action, withheld }) => withheld === null && isContactAction(action));
  if (changes) await lockContact(tx, work.tenantId, work.message.contactId);
}

/** Changes the contact as the API would, with the message as proof of what it refused. */
export async function changeRuleContact(
  parts: ContactWork,
  { tenantId, message }: Pick<RuleActions, 'tenantId' | 'message'>,
  action: ContactAction,
): Promise<Pick<DoneAction, 'outcome' | 'why'>> {
  const before = await lockContact(parts.tx, tenantId, message.contactId);
  if (before === null) return { outcome: 'failed', why: 'The contact was erased.' };
  if (action.action === 'set_attribute') {
    const types = await findAttributeTypes(parts.tx, tenantId);
    const wrong = attributeFault(types.get(action.key), action.value);
    if (wrong !== null) return { outcome: 'failed', why: `The attribute ${action.key} ${wrong}.` };
  }
  const after: Contact = applyContactChange(before, changeOf(action), parts.nowMs);
  await saveContacts(parts, tenantId, [{ before, after, proof: proofOf(message) }]);
  return { outcome: 'done', why: null };
}

function changeOf(action: ContactAction): ContactChange {
  if (action.action === 'opt_out') return { marketing: 'denied', consentSource: 'rule' };
  return { attributes: { [action.key]: action.value } };
}

function proofOf({ body, messageId }: EvaluatedMessage): ConsentProof {
  return { source: 'rule', wording: body, messageId };
}
