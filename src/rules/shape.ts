/**
 * Requirements that are part of a definition: which member of which message each is about is data (shapes-*.ts); this
 * rule counts the messages that have the member and blames the faults at its place. State: counts, and names told.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import type { SchemaFault } from '../protocol/index.ts';
import { isObject, type Json, type Party } from '../wire/index.ts';
import { faultShowing } from './evidence.ts';
import { createKnownNames, type KnownNames } from './known-names.ts';
import { type AnyRule, defineFrameRule, type Topic } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export interface Shape {
  readonly requirement: RequirementId;
  readonly opportunity: string;
  readonly by: Party;
  /** Methods, or `update:<kind>` for what is inside `params.update`. */
  readonly on: readonly Topic[];
  /** A response is looked at instead of a request or notification. */
  readonly result?: true;
  /** Paths from the payload, with `*` for the index of a list; the empty path is the payload itself. */
  readonly members: readonly string[];
  /** Exercised by every such message; otherwise only by one that has a member. */
  readonly always?: true;
  /** Further condition for an opportunity. */
  readonly when?: (seen: SeenFrame) => boolean;
  /** Which faults at the place count; by default all but unknown members. */
  readonly only?: (fault: SchemaFault) => boolean;
  readonly situation?: (fault: SchemaFault) => string | undefined;
}

export const shapeRule = (name: string, shapes: readonly Shape[]): AnyRule => {
  const rows = shapes.map(read);
  return defineFrameRule<State>({
    name,
    on: ['faulty', ...new Set(rows.filter(row => !isUnconditional(row)).flatMap(({ topics }) => topics))],
    requirements: Object.fromEntries(
      shapes.map(({ requirement, opportunity }) => [requirement, opportunity]),
    ),

    counts({ subject }) {
      const counted: Record<RequirementId, Topic[]> = {};
      for (const { requirement, topics } of rows.filter(row => row.by === subject && isUnconditional(row))) {
        counted[requirement] = [...(counted[requirement] ?? []), ...topics];
      }
      return counted;
    },

    init: ({ subject }) => {
      const own = rows
        .filter(({ by }) => by === subject)
        .map(row => ({ row, isOpportunity: conditionOf(row), count: 0 }));
      return { subject, own, table: createTable(own), told: createKnownNames() };
    },

    step({ subject, table, told }, seen, judge) {
      const { message } = seen;
      if (seen.from !== subject || message === undefined || message.type === 'error') return;
      const place = table.find(seen, message.type === 'result');
      if (!place) return;
      const { conditional } = place;
      for (let at = 0; at < conditional.length; at++) {
        const row = conditional[at]!;
        if (row.isOpportunity(seen)) row.count++;
      }
      if (seen.faults.length > 0) blame(place.rows, seen, told, judge);
    },

    end({ own }, judge) {
      for (const { row, count } of own) if (count > 0) judge.exercised(row.requirement, count);
    },
  });
};

interface Row extends Shape {
  readonly paths: readonly (readonly string[])[];
  /** The rows of `update:<kind>` start at `params.update`. */
  readonly isUpdate: boolean;
  readonly topics: readonly Topic[];
}

/** Of one form, whatever the row says: looking into many forms is slow. */
interface CountedRow {
  readonly row: Row;
  readonly isOpportunity: (seen: SeenFrame) => boolean;
  count: number;
}

interface State {
  readonly subject: Party;
  readonly own: readonly CountedRow[];
  readonly table: Table;
  readonly told: KnownNames;
}

interface Table {
  find(seen: SeenFrame, isResult: boolean): Place | undefined;
}

/** One kind of message, and the rows that look at it. */
interface Place {
  readonly rows: readonly CountedRow[];
  /** Those to which not every such message is an opportunity. */
  readonly conditional: readonly CountedRow[];
}

const read = (shape: Shape): Row => {
  const isUpdate = shape.on.some(topic => topic.startsWith('update:'));
  return {
    ...shape,
    paths: shape.members.map(member => (member === '' ? [] : member.split('/'))),
    isUpdate,
    topics: isUpdate ? shape.on : shape.on.map(method => `${method} ${shape.result ? 'result' : 'call'}`),
  };
};

const createTable = (rows: readonly CountedRow[]): Table => {
  const topics = [...new Set(rows.flatMap(({ row }) => row.on))];
  const rowsOn = (topic: Topic, isResult: boolean) => rows.filter(({ row }) => isOn(row, topic, isResult));
  const calls = new Map(topics.map(topic => [topic, placeOf(rowsOn(topic, false))]));
  const results = new Map(topics.map(topic => [topic, placeOf(rowsOn(topic, true))]));
  const updates = new Map(
    topics
      .filter(topic => topic.startsWith('update:'))
      .map(topic => [
        topic.slice('update:'.length),
        placeOf([...rowsOn('session/update', false), ...rowsOn(topic, false)]),
      ]),
  );

  // Updates come in runs of one kind.
  let lastKind: string | undefined;
  let lastPlace: Place | undefined;

  return {
    find({ method = '', kind }, isResult) {
      if (kind === undefined) return (isResult ? results : calls).get(method);
      if (kind !== lastKind) {
        lastKind = kind;
        lastPlace = updates.get(kind) ?? calls.get(method);
      }
      return lastPlace;
    },
  };
};

const placeOf = (rows: readonly CountedRow[]): Place => ({
  rows,
  conditional: rows.filter(({ row }) => !isUnconditional(row)),
});

const isUnconditional = ({ always, when }: Row): boolean => always === true && when === undefined;

const isOn = ({ on, result }: Row, topic: Topic, isResult: boolean): boolean =>
  on.includes(topic) && (result === true) === isResult;

const conditionOf = ({ always, when, paths, isUpdate }: Row): CountedRow['isOpportunity'] => {
  const isThere = isAnyThere(paths.map(path => isThereAt(path)));
  return seen =>
    (always === true || isThere(isUpdate ? seen.update : seen.payload)) && (when === undefined || when(seen));
};

type IsThere = (value: Json | undefined) => boolean;

const isAnyThere = (places: readonly IsThere[]): IsThere =>
  places.length === 1 ? places[0]! : value => places.some(isThere => isThere(value));

const isThereAt = ([name, ...rest]: readonly string[]): IsThere => {
  if (name === undefined) return value => value != null;
  const isThere = isThereAt(rest);
  if (name === '*') return value => Array.isArray(value) && value.some(isThere);
  return value => isObject(value) && isThere(value[name]);
};

const blame = (rows: readonly CountedRow[], seen: SeenFrame, told: KnownNames, judge: Judge): void => {
  for (const fault of seen.faults) {
    if (told.isOld(fault)) continue;
    const tokens = fault.pointer.split('/').slice(1);
    for (const { row } of rows) {
      if (!(row.only ? row.only(fault) : fault.kind !== 'unknown-member')) continue;
      if (!row.paths.some(path => isPlace(tokens, row, path))) continue;
      const situation = row.situation?.(fault);
      judge.violated(row.requirement, { ...faultShowing(seen, fault), ...(situation && { situation }) });
    }
  }
};

/** A fault at the member, inside it, or, for a member that must be there, of what should hold it. */
const isPlace = (
  tokens: readonly string[],
  { result, isUpdate, always }: Row,
  path: readonly string[],
): boolean => {
  const full = [...(isUpdate ? ['params', 'update'] : [result ? 'result' : 'params']), ...path];
  if (tokens.length < full.length && !always) return false;
  const shared = Math.min(tokens.length, full.length);
  for (let at = 0; at < shared; at++) if (full[at] !== '*' && full[at] !== tokens[at]) return false;
  return shared > 0;
};
