export { checkBehaviour } from './check-behaviour.ts';
export { type MockAgentOptions, runMockAgent } from './run-mock-agent.ts';
