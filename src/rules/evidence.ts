/** Small helpers that all rules share when they tell the judge what they saw. */
import type { Evidence, Judge, RequirementId } from '../catalogue/index.ts';
import type { SchemaFault } from '../protocol/index.ts';
import type { SeenFrame } from './seen.ts';

/** Evidence of a frame: its sequence and message, and what is special about this violation. */
export const showing = (seen: SeenFrame, rest: Omit<Evidence, 'seq' | 'message'>): Evidence => ({
  seq: seen.entry.seq,
  ...(seen.entry.message && { message: seen.entry.message }),
  ...rest,
});

/** Evidence of a schema fault. */
export const faultShowing = (seen: SeenFrame, fault: SchemaFault): Evidence => {
  const situation = situationOf(fault);
  const hint = hintFor(fault);
  return showing(seen, {
    detail: detailOf(fault),
    pointer: fault.pointer,
    expected: fault.expected,
    ...(fault.actual !== undefined && { actual: fault.actual }),
    ...(situation && { situation }),
    ...(hint && { hint }),
  });
};

/** Reports what was counted on the way. */
export const reportCounts = (judge: Judge, counts: Readonly<Record<RequirementId, number>>): void => {
  for (const [requirement, times] of Object.entries(counts)) {
    if (times > 0) judge.exercised(requirement, times);
  }
};

const situationOf = ({ known, kind, check }: SchemaFault): string | undefined => {
  if (kind === 'null-result') return 'null-result';
  if (check === 'stdio-type') return 'stdio-type';
  if (check === 'both-variants') return 'text-and-blob';
  if (known === undefined) return undefined;
  return 'stableSince' in known ? 'known-to-later-release' : 'known-to-unstable';
};

const detailOf = ({ kind, definition, pointer, known }: SchemaFault): string => {
  const place = `${pointer || 'The message'} (${definition})`;
  const release = known === undefined ? '' : `, ${releaseOf(known)}`;
  switch (kind) {
    case 'unknown-member':
      return `${place} is no member of its type${release}`;
    case 'unknown-value':
      return `${place} has a value that its type does not list${release}`;
    case 'unknown-method':
      return `${place} is no method of ACP${release}`;
    case 'null-result':
      return `${place} is null where an object belongs`;
    case 'text':
      return `${place} fits the schema but not the text of the specification`;
    case 'invalid':
      return `${place} does not fit its definition`;
  }
};

const releaseOf = (known: NonNullable<SchemaFault['known']>): string =>
  'stableSince' in known
    ? `stable since ${known.stableSince}`
    : `only in the unstable schema ${known.unstableIn}`;

/** Mistakes that come from examples in the documentation, or from how shells and Node tell exits. */
const hintFor = ({ check, kind, pointer, actual }: SchemaFault): string | undefined => {
  if (kind === 'null-result') return 'Answer {}; some pages show null, the schema wants an object.';
  if (pointer.endsWith('/exitCode') && typeof actual === 'number' && actual < 0)
    return 'A process that a signal ended has exitCode null, and the name of the signal in signal.';
  switch (check) {
    case 'doc-example-mode-id':
      return 'The member is currentModeId; one example of the documentation says modeId.';
    case 'doc-example-bare-block':
      return 'Wrap the block as {"type":"content","content":{…}}; one example of the documentation does not.';
    case 'stdio-type':
      return 'A stdio server has no type; leave it out.';
    default:
      return undefined;
  }
};
