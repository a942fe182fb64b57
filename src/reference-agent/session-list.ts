import { isAbsolute } from 'node:path';
import type { JsonObject } from '../wire/index.ts';
import { invalidParams } from './errors.ts';
import { optionalText, type Params } from './params.ts';
import type { Handler } from './state.ts';
import type { SessionRecord } from './store.ts';

/** Stored sessions, the latest first, page by page. */
export const listSessions: Handler = (agent, params) => {
  const cwd = cwdFilter(params);
  const cursor = optionalText(params, 'cursor');
  const matching = agent.store
    .all()
    .filter(record => cwd === undefined || record.cwd === cwd)
    .sort((a, b) => compare(placeOf(b), placeOf(a)));
  const rest = cursor === undefined ? matching : matching.filter(isAfter(cursor));
  const page = rest.slice(0, agent.behaviour.pageSize);
  const last = page.at(-1);
  return {
    sessions: page.map(sessionInfo),
    ...(last && page.length < rest.length && { nextCursor: cursorAt(last) }),
  };
};

const sessionInfo = ({
  sessionId,
  cwd,
  title,
  updatedAt,
  additionalDirectories,
}: SessionRecord): JsonObject => ({
  sessionId,
  cwd,
  updatedAt,
  ...(title !== null && { title }),
  ...(additionalDirectories.length > 0 && { additionalDirectories }),
});

const cwdFilter = (params: Params): string | undefined => {
  const cwd = optionalText(params, 'cwd');
  if (cwd === undefined || isAbsolute(cwd)) return cwd;
  throw invalidParams('cwd must be an absolute path', { cwd });
};

/** Where a session stands in the order. Unlike an index, it holds while sessions come and go. */
const placeOf = ({ updatedAt, sessionId }: SessionRecord): string => `${updatedAt} ${sessionId}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const cursorAt = (record: SessionRecord): string => Buffer.from(placeOf(record)).toString('base64url');

const isAfter = (cursor: string): ((record: SessionRecord) => boolean) => {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z \S+$/.test(place)) throw invalidParams('Unknown cursor', { cursor });
  return record => compare(placeOf(record), place) < 0;
};
