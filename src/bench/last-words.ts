/** What an agent that did not start well left behind, in a few words. */
import type { Entry } from '../journal/index.ts';

/**
 * `exit code 1, stderr: "Error: no API key"`; undefined when the first process neither ended of itself
 * nor wrote.
 */
export const lastWordsIn = (entries: Iterable<Entry>): string | undefined => {
  let exit: string | undefined;
  let hasEnded = false;
  let isBeingEnded = false;
  let stderr = '';
  for (const entry of entries) {
    if (entry.connection > 1) break;
    if (entry.channel === 'stderr')
      stderr = (stderr + Buffer.from(entry.bytes).toString('utf8')).slice(-keptLength);
    if (entry.channel !== 'process') continue;
    const { what } = entry;
    if (what.event === 'eof') hasEnded = true;
    if (what.event === 'signal-sent' || (what.event === 'input-closed' && !hasEnded)) isBeingEnded = true;
    if (what.event === 'exit' && !isBeingEnded)
      exit = what.signal === null ? `exit code ${what.code}` : `ended by ${what.signal}`;
  }
  const line = tellingLine(stderr).slice(0, shownLength);
  const words = [...(exit ? [exit] : []), ...(line ? [`stderr: ${JSON.stringify(line)}`] : [])];
  return words.length > 0 ? words.join(', ') : undefined;
};

/** The last line that speaks of an error, since what stands below it is often a trace; else the last one. */
const tellingLine = (stderr: string): string => {
  const lines = stderr.split('\n').map(line => line.trim());
  return lines.findLast(line => /error/i.test(line)) ?? lines.findLast(line => line !== '') ?? '';
};

const keptLength = 4096;
const shownLength = 200;
