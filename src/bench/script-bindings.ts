/** What scripts are told of the agent: texts that make it do things, and what it needs before it works. */
import type { Profile } from '../profile/index.ts';
import type { ScriptBindings, Step } from '../script/index.ts';

export interface BindingSource {
  readonly profile: Profile | undefined;
  /** Those of the profile and of the command line. */
  readonly triggers: Readonly<Record<string, string>>;
  /** Id of the method to authenticate with after each `initialize`. */
  readonly auth: string | undefined;
}

export const scriptBindings = ({
  profile,
  triggers,
  auth,
}: BindingSource): Omit<ScriptBindings, 'workspace' | 'home'> => ({
  prompt: profile?.prompts.turn ?? ordinaryPrompt,
  triggers,
  ...(auth !== undefined && { auth }),
  setUp: {
    ...(auth !== undefined && { initialize: authentication(auth) }),
    ...(profile?.setup.length && { 'new-session': setUpRequests(profile) }),
  },
  ...(profile?.session.mcp.length && { sessionMcp: profile.session.mcp }),
});

const ordinaryPrompt = 'Answer in one short sentence, without using any tool: what is the capital of France?';

const authentication = (methodId: string): readonly Step[] => [
  { request: 'authenticate', params: { methodId }, as: 'authentication' },
  { expect: { response: 'authentication', result: {} } },
];

const setUpRequests = ({ setup }: Profile): readonly Step[] =>
  setup.flatMap(({ request, params }, index): Step[] => [
    {
      request,
      params: { sessionId: '$session.sessionId', ...(params as Record<string, string>) },
      as: `set-up-${index}`,
    },
    { expect: { response: `set-up-${index}` } },
  ]);
