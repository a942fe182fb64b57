import type { Json } from '../wire/index.ts';

/** A content block as it stands in `session/prompt`. */
export interface ContentBlock {
  readonly type: string;
  readonly [member: string]: Json | undefined;
}

/** A text as the one block of a prompt. */
export const blocksOf = (prompt: string | readonly ContentBlock[]): readonly ContentBlock[] =>
  typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
