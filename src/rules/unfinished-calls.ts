/** Tool calls of running turns that have no final status yet. State: at most 256 ids for each running turn. */
export interface UnfinishedCalls {
  begin(sessionId: string): void;
  /** A tool_call of the running turn. */
  note(sessionId: string, call: string, isFinal: boolean, seq: number): void;
  finish(sessionId: string, call: string): void;
  /** What is left of the turn; undefined when its beginning was not seen. */
  end(sessionId: string): UnfinishedTurn | undefined;
  /** Ids kept now. */
  readonly size: number;
}

export interface UnfinishedTurn {
  readonly hasCalls: boolean;
  readonly count: number;
  /** Some of the ids, for people. */
  readonly names: readonly string[];
  /** Journal sequence of the first. */
  readonly first: number | undefined;
}

const maxKept = 256;
const maxNamed = 5;

export const createUnfinishedCalls = (): UnfinishedCalls => {
  const turns = new Map<string, { hasCalls: boolean; readonly open: Map<string, number> }>();

  return {
    get size() {
      return [...turns.values()].reduce((sum, { open }) => sum + open.size, 0);
    },
    begin(sessionId) {
      turns.set(sessionId, { hasCalls: false, open: new Map() });
    },
    note(sessionId, call, isFinal, seq) {
      const turn = turns.get(sessionId);
      if (!turn) return;
      turn.hasCalls = true;
      if (isFinal) turn.open.delete(call);
      else if (turn.open.size < maxKept && !turn.open.has(call)) turn.open.set(call, seq);
    },
    finish(sessionId, call) {
      turns.get(sessionId)?.open.delete(call);
    },
    end(sessionId) {
      const turn = turns.get(sessionId);
      turns.delete(sessionId);
      if (!turn) return undefined;
      return {
        hasCalls: turn.hasCalls,
        count: turn.open.size,
        names: [...turn.open.keys()].slice(0, maxNamed),
        first: [...turn.open.values()][0],
      };
    },
  };
};
