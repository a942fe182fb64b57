/** The environment of an agent that is certified: little of the parent, a home folder, what the user named, the mark. */
import { runVariable } from './marks.ts';
import { platform } from './platform.ts';

export type Environment = Readonly<Record<string, string>>;

export interface EnvironmentOptions {
  /** Id of the run; becomes the mark by which descendants are found again. */
  readonly run: string;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Variables that the user or a profile names. They win over everything but the mark. */
  readonly env?: Environment;
  /** Like `env`; apart so that callers need not mix what is redacted with what is not. */
  readonly secrets?: Environment;
  /** Default: the environment of this process. */
  readonly parent?: NodeJS.ProcessEnv;
}

/**
 * Exactly the variables that the agent gets. Package caches stay the parent's although HOME is another folder, so that
 * `npx` and `uvx` find what is already there.
 */
export const agentEnvironment = (options: EnvironmentOptions): Environment => {
  const { run, home, env, secrets, parent = process.env } = options;
  return {
    ...passedOn(parent),
    ...(home === parent.HOME ? {} : platform.cacheVariables(parent)),
    ...platform.homeVariables(home),
    ...env,
    ...secrets,
    [runVariable]: run,
  };
};

/** The variables of the parent that every process of the run gets. */
export const passedOn = (parent: NodeJS.ProcessEnv): Environment =>
  Object.fromEntries(
    platform.passedVariables.flatMap(name => {
      const value = parent[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
