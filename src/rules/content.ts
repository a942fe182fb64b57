/**
 * Content blocks, in chunks, prompts and the content of tool calls. The schema says most; this rule counts blocks and
 * blames each fault by the block that it is in. State: counts, and names told.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import type { SchemaFault } from '../protocol/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { faultShowing, reportCounts } from './evidence.ts';
import { createKnownNames } from './known-names.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface Counts {
  blocks: number;
  media: number;
  resources: number;
  links: number;
}

export const content = defineFrameRule({
  name: 'content',
  on: [
    'session/prompt',
    'update:user_message_chunk',
    'update:agent_message_chunk',
    'update:agent_thought_chunk',
    'update:tool_call',
    'update:tool_call_update',
    'session/request_permission',
  ],
  requirements: {
    'CONT-01': 'a content block of the party',
    'CONT-02': 'an image or audio block of the party',
    'CONT-03': 'an embedded resource of the party',
    'CONT-04': 'a resource link of the party',
  },

  init: ({ subject }) => ({
    subject,
    counts: { blocks: 0, media: 0, resources: 0, links: 0 } as Counts,
    told: createKnownNames(),
  }),

  step({ subject, counts, told }, seen, judge) {
    if (seen.from !== subject || seen.answer !== undefined) return;
    countBlocks(seen, counts);
    for (const fault of seen.faults) {
      if (fault.kind !== 'unknown-member' && !told.isOld(fault)) blame(seen, fault, judge);
    }
  },

  end({ counts: { blocks, media, resources, links } }, judge) {
    reportCounts(judge, { 'CONT-01': blocks, 'CONT-02': media, 'CONT-03': resources, 'CONT-04': links });
  },
});

const countBlocks = ({ update, payload, method }: SeenFrame, counts: Counts): void => {
  if (method === 'session/prompt') {
    if (Array.isArray(payload?.prompt)) for (const block of payload.prompt) count(block, counts);
    return;
  }
  const holder = update ?? (isObject(payload?.toolCall) ? payload.toolCall : undefined);
  const held = holder?.content;
  if (!Array.isArray(held)) {
    if (isObject(held)) count(held, counts);
    return;
  }
  for (const item of held) if (isObject(item) && item.type === 'content') count(item.content ?? null, counts);
};

const count = (block: Json, counts: Counts): void => {
  counts.blocks++;
  const type = isObject(block) ? block.type : undefined;
  if (type === 'text') return;
  if (type === 'image' || type === 'audio') counts.media++;
  if (type === 'resource') counts.resources++;
  if (type === 'resource_link') counts.links++;
};

/** Place of a block within a frame, and what follows it. */
const inBlock =
  /^\/params(?:\/prompt\/\d+|\/update\/content(?:\/\d+\/content)?|\/toolCall\/content\/\d+\/content)(?<rest>\/.*)?$/;

const blame = (seen: SeenFrame, fault: SchemaFault, judge: Judge): void => {
  const match = inBlock.exec(fault.pointer);
  const isOfTool = seen.kind === 'tool_call' || seen.kind === 'tool_call_update';
  if (!match || Array.isArray(fault.actual)) return;
  // The content of a tool call is a list of items, not a block.
  if (isOfTool && !/\/content\/\d+\/content/.test(fault.pointer)) return;
  const evidence = faultShowing(seen, fault);
  for (const requirement of broken(fault, match.groups?.rest ?? '')) {
    judge.violated(requirement, evidence);
  }
};

const broken = ({ definition, check, kind }: SchemaFault, rest: string): readonly RequirementId[] => {
  if (check === 'both-variants') return ['CONT-03'];
  const specific = specificOf(definition, rest);
  if (kind === 'text') return specific ? [specific] : [];
  return specific ? ['CONT-01', specific] : ['CONT-01'];
};

const specificOf = (definition: string, rest: string): RequirementId | undefined => {
  if (rest === '/type') return undefined;
  if (definition === 'ImageContent' || definition === 'AudioContent') return 'CONT-02';
  if (rest.startsWith('/resource')) return 'CONT-03';
  return definition === 'ResourceLink' ? 'CONT-04' : undefined;
};
