/**
 * Redacts JSON text string by string: every other byte stays, and so does the validity of the JSON.
 * @param text valid JSON
 * @param redact called with each string as it reads when decoded; `member` is the name of the member that holds it, or
 *   holds the array that does, and undefined for the name of a member; `members` are those names from the outside in
 */
export const redactStrings = (
  text: string,
  redact: (decoded: string, member: string | undefined, members: readonly string[]) => string,
): string => {
  let result = '';
  let done = 0;
  /** For each open object or array the member that is being read. */
  const members = [''];
  // The next backslash is looked for once, not once per string: lines can be long.
  let backslash = indexOrEnd(text, '\\', 0);
  for (let position = 0; ; ) {
    const open = text.indexOf('"', position);
    if (open === -1) return result + text.slice(done);
    followStructure(text, position, open, members);
    let close = indexOrEnd(text, '"', open + 1);
    const isEscaped = backslash < close;
    while (backslash < close) {
      if (backslash + 1 === close) close = indexOrEnd(text, '"', close + 1);
      backslash = indexOrEnd(text, '\\', backslash + 2);
    }
    const raw = text.slice(open + 1, close);
    const decoded = isEscaped ? (JSON.parse(`"${raw}"`) as string) : raw;
    const isName = isBeforeColon(text, close + 1);
    if (isName) members[members.length - 1] = decoded;
    const redacted = redact(decoded, isName ? undefined : members.at(-1), members);
    if (redacted !== decoded) {
      result += text.slice(done, open) + JSON.stringify(redacted);
      done = close + 1;
    }
    position = close + 1;
  }
};

const followStructure = (text: string, from: number, to: number, members: string[]): void => {
  for (let position = from; position < to; position += 1) {
    const character = text[position];
    if (character === '{' || character === '[') members.push(members.at(-1) ?? '');
    else if (character === '}' || character === ']') members.pop();
  }
};

const isBeforeColon = (text: string, from: number): boolean => {
  let position = from;
  while (/\s/.test(text[position] ?? '')) position += 1;
  return text[position] === ':';
};

const indexOrEnd = (text: string, part: string, from: number): number => {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
};
