/** Who is certified: something that can be started again and again, each time with a home and a workspace. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProcessEvent } from '../journal/index.ts';
import { type Environment, type Guardian, launch, type Rung, type StopEvent } from '../process/index.ts';
import type { Party, Port } from '../wire/index.ts';

/** Folders of one scenario; kept over restarts within it. */
export interface Place {
  readonly home: string;
  readonly workspace: string;
}

export interface Started {
  readonly port: Port;
  /** What the journal says of the start. */
  readonly start: Extract<ProcessEvent, { event: 'start' }>;
  /** Ends it and all that it started. Resolves when nothing is left and the port has told everything. */
  stop(from: Rung, onEvent: (event: StopEvent) => void): Promise<void>;
}

export interface Subject {
  readonly party: Party;
  /** As the user would type it. */
  readonly command: readonly string[];
  /** Makes the folders for one scenario, with these files in the workspace. */
  createPlace(files: Readonly<Record<string, string>>): Place;
  /** @throws UserError (exit code 2) when it cannot be started */
  start(place: Place): Promise<Started>;
}

export interface ProcessSubjectOptions {
  /** As the user typed it. */
  readonly command: readonly [string, ...string[]];
  /** What is started; default: the command. Another where that would first look for the program, as `npx` does. */
  readonly program?: readonly [string, ...string[]];
  /** Directory of the process. */
  readonly cwd: string;
  readonly guardian: Guardian;
  readonly createHome: () => string;
  readonly createWorkspace: () => string;
  /** The environment, given the scenario's home. */
  readonly environment: (home: string) => Environment;
  /** Path below HOME -> text, from the profile. */
  readonly homeFiles: Readonly<Record<string, string>>;
}

/** An agent that runs as a process of its own. */
export const processSubject = (options: ProcessSubjectOptions): Subject => {
  const [command, ...args] = options.program ?? options.command;
  return {
    party: 'agent',
    command: options.command,
    createPlace(files) {
      const place = { home: options.createHome(), workspace: options.createWorkspace() };
      writeFiles(place.home, options.homeFiles);
      writeFiles(place.workspace, files);
      return place;
    },
    async start({ home }) {
      const { guardian, cwd } = options;
      const agent = await launch({ command, args, cwd, guardian, env: options.environment(home) });
      return {
        port: agent.port,
        start: { event: 'start', command: agent.command, pid: agent.pid },
        stop: async (from, onEvent) => {
          await agent.stop({ from, onEvent });
        },
      };
    },
  };
};

/** Writes texts below a folder. Paths are checked by the schemas of scripts and profiles: relative, without `..`. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
};
