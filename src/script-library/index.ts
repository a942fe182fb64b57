export { isScriptFile, loadMockAgent, loadMockAgents, loadScenarios, loadScriptFile } from './library.ts';
