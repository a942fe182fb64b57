/** session/prompt: one turn from its prompt to its stop reason. */
import { errorCode, type JsonObject, ResponseError } from '../wire/index.ts';
import { invalidRequest } from './errors.ts';
import { list } from './params.ts';
import { promptText, readPrompt } from './prompt-content.ts';
import { remember, type Session, sessionOf, tell } from './session.ts';
import type { Call, Handler } from './state.ts';
import { playTurn } from './triggers.ts';
import { type CancelAnswer, createTurn, type StopReason, type Turn } from './turn.ts';
import { announceUsage } from './usage.ts';

/** A second prompt while a turn runs is refused: this agent has no queue. */
export const prompt: Handler = async (agent, params, call) => {
  const session = sessionOf(agent, params);
  const blocks = readPrompt(list(params, 'prompt'), agent.behaviour.capabilities);
  if (session.turn) throw invalidRequest('A turn is already running in this session');
  const turn = createTurn(agent, session, beginTurn(session, call));
  try {
    takeDown(turn, blocks);
    return { stopReason: await runTurn(turn, promptText(blocks)) };
  } finally {
    agent.store.save(session.record);
  }
};

/** Makes the turn known to those who may cancel it, until its prompt is answered. */
const beginTurn = (session: Session, call: Call): AbortSignal => {
  const controller = new AbortController();
  const cancel = (answer: CancelAnswer): void => controller.abort(answer);
  const answered = new Promise<void>(resolve => {
    call.afterwards(() => {
      session.turn = undefined;
      resolve();
    });
  });
  session.turn = { cancel, answered };
  call.signal.addEventListener('abort', () => cancel('error'));
  return controller.signal;
};

const runTurn = async (turn: Turn, text: string): Promise<StopReason> => {
  try {
    await turn.until(Promise.all(turn.session.servers.map(server => server.settled)));
    const stopReason = await playTurn(turn, text);
    turn.signal.throwIfAborted();
    announceUsage(turn.agent, turn.session);
    return stopReason;
  } catch (error) {
    if (!turn.signal.aborted) throw error;
    if (turn.signal.reason === 'stop-reason') return 'cancelled';
    throw new ResponseError(errorCode.requestCancelled, 'The request was cancelled');
  }
};

/** Puts the user's words into history, and names the session after the first of them. */
const takeDown = ({ agent, session, newId }: Turn, blocks: readonly JsonObject[]): void => {
  const { record } = session;
  const messageId = agent.behaviour.messageIds ? { messageId: newId('message') } : {};
  for (const content of blocks)
    remember(record, { sessionUpdate: 'user_message_chunk', content, ...messageId });
  record.turnCount += 1;
  record.updatedAt = agent.timestamp();
  const title = titleOf(promptText(blocks));
  if (agent.behaviour.titles && record.title === null && title) {
    record.title = title;
    tell(agent, session, { sessionUpdate: 'session_info_update', title });
  }
  agent.store.save(record);
};

/** The beginning of the first line. */
const titleOf = (text: string): string => [...(text.trim().split(/\r?\n/, 1)[0] ?? '')].slice(0, 60).join('');
