/**
 * The rules of one connection, sorted by what they look at. Frames that no rule tells apart are one class: which rules
 * it concerns is worked out at its first frame, and opportunities that lie in the class are counted with its frames.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import { isMalformed, isOfOtherVersion, isOwn, methodOf, topicsOf, traitsOf } from './frame-topics.ts';
import type { AnyRule, RuleSetting, Topic } from './rule.ts';
import { isFrame, type Seen, type SeenFrame } from './seen.ts';

export interface Bound {
  readonly rule: AnyRule;
  /** The rule's own, kept here since rules differ in form, and looking into many forms is slow. */
  readonly step: AnyRule['step'];
  readonly state: unknown;
  readonly counts: Readonly<Record<RequirementId, readonly Topic[]>>;
}

export const bind = (rule: AnyRule, setting: RuleSetting): Bound => ({
  rule,
  step: rule.step,
  state: rule.init(setting),
  counts: rule.counts?.(setting) ?? {},
});

export interface Board {
  readonly connection: number;
  /** Rules with a state of this connection. */
  readonly own: readonly Bound[];
  /** Those that want this entry; a frame is counted. */
  wanting(seen: Seen): readonly Bound[];
  /** Tells what was counted. */
  end(judge: Judge): void;
}

interface FrameClass {
  readonly wanting: readonly Bound[];
  readonly counting: readonly RequirementId[];
  frames: number;
}

/** By traits. */
type Classes = Map<number, FrameClass>;

export const createBoard = (
  connection: number,
  own: readonly Bound[],
  perRun: readonly Bound[],
  { protocol, subject }: RuleSetting,
): Board => {
  const all = [...own, ...perRun];
  const other = all.filter(({ rule }) => wants(rule.on, new Set(['other'])));
  // Only names that a rule or the protocol knows have classes of their own: others come off the wire without end.
  const topics = all.flatMap(({ rule: { on = [] }, counts }) => [...on, ...Object.values(counts).flat()]);
  const ofMethod = classesByName([
    ...topics.flatMap(topic => methodOf(topic) ?? []),
    ...protocol.methods.keys(),
  ]);
  const ofKind = classesByName(topics.filter(isKindTopic).map(topic => topic.slice(kindPrefix.length)));
  const ofUpdate: Classes = new Map();
  const ofRest: Classes = new Map();

  const classesOf = ({ method, kind }: SeenFrame): Classes => {
    if (kind !== undefined) return ofKind.get(kind) ?? ofUpdate;
    return method === undefined ? ofRest : (ofMethod.get(method) ?? ofRest);
  };

  const createClass = (seen: SeenFrame, traits: number): FrameClass => {
    const topics = topicsOf(seen, traits, protocol);
    const fitting = all.filter(({ rule }) => rule.everyVersion || !isOfOtherVersion(traits));
    return {
      wanting: fitting.filter(({ rule }) => wants(rule.on, topics)),
      counting: isOwn(traits)
        ? fitting.flatMap(({ counts }) =>
            Object.keys(counts).filter(requirement => wants(counts[requirement], topics)),
          )
        : [],
      frames: 0,
    };
  };

  // Frames come in runs of one class.
  let lastKind: string | undefined;
  let lastMethod: string | undefined;
  let lastTraits = -1;
  const wasMalformed = { client: false, agent: false };
  let last: FrameClass = { wanting: [], counting: [], frames: 0 };

  return {
    connection,
    own,
    wanting(seen) {
      if (!isFrame(seen)) return other;
      const traits = traitsOf(seen, subject, wasMalformed[seen.from]);
      const { kind, method } = seen;
      if (traits !== lastTraits || kind !== lastKind || method !== lastMethod) {
        const classes = classesOf(seen);
        const found = classes.get(traits) ?? createClass(seen, traits);
        classes.set(traits, found);
        last = found;
        lastTraits = traits;
        lastKind = kind;
        lastMethod = method;
        wasMalformed[seen.from] = isMalformed(traits);
      }
      last.frames++;
      return last.wanting;
    },
    end(judge) {
      const counts = new Map<RequirementId, number>();
      for (const classes of [...ofMethod.values(), ...ofKind.values(), ofUpdate, ofRest]) {
        for (const { counting, frames } of classes.values()) {
          for (const id of counting) counts.set(id, (counts.get(id) ?? 0) + frames);
        }
      }
      for (const [id, times] of counts) judge.exercised(id, times);
    },
  };
};

const kindPrefix = 'update:';
const isKindTopic = (topic: Topic): boolean => topic.startsWith(kindPrefix);

const classesByName = (names: readonly string[]): ReadonlyMap<string, Classes> =>
  new Map(names.map(name => [name, new Map()]));

const wants = (topics: readonly Topic[] | undefined, given: ReadonlySet<string>): boolean =>
  topics === undefined || topics.some(topic => given.has(topic));
