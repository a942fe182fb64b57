export { type MockAgentOptions, runMockAgent } from './run-mock-agent.ts';
