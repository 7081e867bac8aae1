import { EXAMPLE_AGENTS } from '#testing/test-agents';
import { expectStatus, openConversation, type Scene, type Stage } from './scenes.ts';

/** Scenes of what agents do in the inbox. */
export const inboxScenes: Readonly<Record<string, Scene>> = {
  getConversationDraft: draftedConversation,
  setConversationDraft: openConversation,
  deleteConversationDraft: draftedConversation,
  setConversationSignal: openConversation,
  listSuggestions: openConversation,
  createSuggestion: openConversation,
  takeSuggestion: suggested,
  discardSuggestion: suggested,
};

async function suggested(stage: Stage): Promise<string> {
  const path = `/v1/conversations/${await openConversation(stage)}/suggestions`;
  return expectStatus(await stage.tenant.call('POST', path, { body: 'Hi' }), 201).id;
}

async function draftedConversation(stage: Stage): Promise<string> {
  const id = await openConversation(stage);
  const agent = { 'x-agent-id': EXAMPLE_AGENTS[0] };
  expectStatus(await stage.tenant.call('PUT', `/v1/conversations/${id}/draft`, { body: 'Hi' }, agent), 200);
  return id;
}
