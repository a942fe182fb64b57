export { type AgentOptions, referenceAgent } from './agent.ts';
export { type Behaviour, readBehaviour } from './behaviour.ts';
export { folderStore } from './folder-store.ts';
export { memoryStore, type SessionRecord, type SessionStore } from './store.ts';
export { type TriggerName, triggerNames, triggerPrompt } from './turn-names.ts';
