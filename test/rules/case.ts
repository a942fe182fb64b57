/** One requirement on both sides of the line. */

import type { ViolationVerdict } from '../../src/catalogue/requirement.ts';
import type { Party } from '../../src/wire/party.ts';

export interface RuleCase {
  readonly requirement: string;
  /** The rule that is to tell. */
  readonly rule: string;
  /** Another rule that counts the opportunities. */
  readonly countedBy?: string;
  /** Default: agent. */
  readonly subject?: Party;
  /** What both journals are about, when the requirement has several cases. */
  readonly about?: string;
  /** Steps that exercise the requirement and keep it; empty where no journal shows that it could have been broken. */
  readonly kept: readonly string[];
  /** Steps that violate it; absent where the requirement cannot be violated. */
  readonly broken?: readonly string[];
  /** What the catalogue makes of the violation. Default: fail. */
  readonly verdict?: ViolationVerdict;
  readonly pointer?: string;
  /** How often the kept journal exercises the requirement, where a number matters; 0 for use that is allowed. */
  readonly exercised?: number;
}
