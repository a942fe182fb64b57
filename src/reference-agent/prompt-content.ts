/** The content blocks of a prompt. Source: ACP v1, Content. */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import type { Behaviour } from './behaviour.ts';
import { invalidParams } from './errors.ts';

type Capabilities = Behaviour['capabilities'];

/**
 * The blocks, each of a type that the agent takes and with the members of its type.
 * @throws ResponseError -32602 otherwise; a block is never dropped
 */
export const readPrompt = (prompt: readonly Json[], capabilities: Capabilities): readonly JsonObject[] =>
  prompt.map(block => {
    if (!isObject(block)) throw invalidParams('prompt must hold content blocks');
    const kind = kinds.get(String(block.type));
    if (!kind) throw invalidParams('Unknown type of content', { type: block.type });
    if (kind.capability && !capabilities[kind.capability]) {
      throw invalidParams('This agent does not take such content', { type: block.type });
    }
    const lacking = kind.texts.find(name => typeof kind.part(block)?.[name] !== 'string');
    if (lacking) throw invalidParams(`Content of this type needs ${lacking}`, { type: block.type });
    return block;
  });

/** What the prompt says in words. */
export const promptText = (blocks: readonly JsonObject[]): string =>
  blocks.flatMap(({ type, text }) => (type === 'text' ? String(text) : [])).join('\n');

interface Kind {
  readonly capability?: keyof Capabilities;
  /** The object that holds the members below. */
  part(block: JsonObject): JsonObject | undefined;
  /** Members that must be strings. */
  readonly texts: readonly string[];
}

const itself = (block: JsonObject): JsonObject => block;
const itsResource = ({ resource }: JsonObject): JsonObject | undefined =>
  isObject(resource) ? resource : undefined;

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['text', { part: itself, texts: ['text'] }],
  ['resource_link', { part: itself, texts: ['uri', 'name'] }],
  ['image', { part: itself, texts: ['data', 'mimeType'], capability: 'image' }],
  ['audio', { part: itself, texts: ['data', 'mimeType'], capability: 'audio' }],
  ['resource', { part: itsResource, texts: ['uri'], capability: 'embeddedContext' }],
]);
