/** Whether a value has the shape of a script, by schemas/script.schema.json. */
import { pointerStep, type SchemaMistake, schemaMistake, suggestion } from '../base/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { verbNames } from './verbs/index.ts';

const schema = 'schemas/script.schema.json';

/**
 * The first mistake, undefined if there is none. Each step is checked against the schema of its verb, since a union of
 * all of them could not say which one was meant.
 */
export const shapeMistake = async (script: unknown): Promise<SchemaMistake | undefined> => {
  for (const { step, pointer } of stepsIn(script as Json)) {
    const mistake = await stepMistake(step);
    if (mistake) return { ...mistake, pointer: pointer + mistake.pointer };
  }
  return schemaMistake(schema, script);
};

/** Every step with its pointer, the ones of a branch before the one that holds it. */
const stepsIn = (value: Json | undefined, pointer = ''): { step: Json; pointer: string }[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!mayHoldSteps.has(name) && !Array.isArray(value)) return [];
    const at = pointer + pointerStep(name);
    const inner = stepsIn(member, at);
    if (name !== 'steps' || !Array.isArray(member)) return inner;
    const own = member.map((step, index) => ({ step, pointer: at + pointerStep(index) }));
    return [...inner, ...own];
  });
};

const mayHoldSteps: ReadonlySet<string> = new Set(['steps', 'handlers', 'either']);

const stepMistake = async (step: Json): Promise<SchemaMistake | undefined> => {
  const at = (message: string, key?: string): SchemaMistake =>
    key === undefined
      ? { message, pointer: '', part: 'value' }
      : { message, pointer: pointerStep(key), part: 'key' };
  if (!isObject(step)) return at('a step is a map with a verb, such as "expect: { response: turn }"');
  const keys = Object.keys(step);
  const verbs = keys.filter(key => (verbNames as readonly string[]).includes(key));
  const [first] = keys;
  if (first === undefined) return at('an empty step; write a verb');
  if (verbs.length === 0) {
    return at(`unknown verb "${first}"${suggestion(first, verbNames)}`, first);
  }
  if (verbs.length > 1)
    return at(`two verbs in one step, "${verbs[0]}" and "${verbs[1]}"; make two steps`, verbs[1]);
  return schemaMistake(`${schema}#/$defs/step-${verbs[0]}`, step);
};
