export { loadMockAgent, loadMockAgents, loadScenarios, loadScriptFile } from './library.ts';
