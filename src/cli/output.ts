/** Where commands write. A reader that goes away (`| head`) silences the output and stops nothing else. */
import pc from 'picocolors';
import { visibleLines } from '../base/index.ts';

export interface Output {
  /** Text on stdout, as it is. */
  write(text: string): void;
  /** One line on stdout. */
  line(text?: string): void;
  /** One line on stderr: progress, notices, complaints. What it quotes may be anybody's, so it is made visible. */
  notice(text: string): void;
  /** Whether stdout is a terminal that someone watches; false under CI. */
  readonly interactive: boolean;
  /** Columns of the terminal, 100 without one. */
  readonly columns: number;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export const terminalOutput = (): Output => {
  const stdout = writer(process.stdout);
  const stderr = writer(process.stderr);
  return {
    write: stdout,
    line: (text = '') => stdout(`${text}\n`),
    notice: text => stderr(`${visibleLines(text)}\n`),
    interactive: process.stdout.isTTY === true && !process.env.CI,
    columns: process.stdout.columns ?? 100,
    colors: pc.createColors(pc.isColorSupported && process.stdout.isTTY === true),
  };
};

const writer = (stream: NodeJS.WriteStream) => {
  let open = true;
  stream.on('error', () => {
    open = false;
  });
  return (text: string) => {
    if (open) stream.write(text);
  };
};
