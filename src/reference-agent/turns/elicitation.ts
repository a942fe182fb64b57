import { isObject, type Json, type JsonObject, ResponseError } from '../../wire/index.ts';
import { member } from '../params.ts';
import type { Turn, TurnScript } from '../turn.ts';

/** Asks the user in each way that the client offers, and does without where it offers none. */
export const elicit: TurnScript = async turn => {
  const { elicitationForm, elicitationUrl } = turn.agent.capabilities;
  if (elicitationForm) await turn.say(await askByForm(turn));
  if (elicitationUrl) await turn.say(await sendToPage(turn));
  if (!elicitationForm && !elicitationUrl)
    await turn.say('Which colour do you like? Tell me in your next message.');
  return 'end_turn';
};

const colours = ['red', 'green', 'blue'];

const askByForm = async (turn: Turn): Promise<string> => {
  const answer = await ask(turn, {
    mode: 'form',
    message: 'Which colour do you like?',
    requestedSchema: {
      type: 'object',
      properties: {
        colour: { type: 'string', title: 'Colour', enum: colours },
        isSure: { type: 'boolean', title: 'Are you sure?', default: true },
      },
      required: ['colour'],
    },
  });
  if (answer.action !== 'accept') return 'Then I choose red.';
  return isValid(answer.content)
    ? `Then it is ${answer.content.colour}.`
    : 'I do not know that colour; I choose red.';
};

const sendToPage = async (turn: Turn): Promise<string> => {
  const elicitationId = turn.newId(`${turn.session.record.sessionId}-elicitation`);
  const { action } = await ask(turn, {
    mode: 'url',
    message: 'Please look at a page and come back.',
    elicitationId,
    url: 'https://example.com/reference-agent',
  });
  if (action !== 'accept') return 'Then we do without the page.';
  turn.agent.client.notify('elicitation/complete', { elicitationId });
  return 'Thank you for looking.';
};

/** An error of the client counts as no answer. */
const ask = async (turn: Turn, params: JsonObject): Promise<{ action?: Json; content?: Json }> => {
  try {
    const result = await turn.ask('elicitation/create', params);
    return { action: member(result, 'action') ?? null, content: member(result, 'content') ?? null };
  } catch (error) {
    if (error instanceof ResponseError) return {};
    throw error;
  }
};

/** The client has checked the form, and it is checked again here. */
const isValid = (content: Json | undefined): content is { colour: string } =>
  isObject(content) &&
  colours.includes(String(content.colour)) &&
  (content.isSure === undefined || typeof content.isSure === 'boolean');
