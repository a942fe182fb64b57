/** Key of a tool call in maps, made once for all rules that look at one frame. */
let lastSession: string | undefined;
let lastCall: string | undefined;
let lastKey = '';

export const callKey = (sessionId: string, call: string): string => {
  if (call !== lastCall || sessionId !== lastSession) {
    lastSession = sessionId;
    lastCall = call;
    lastKey = `${sessionId} ${call}`;
  }
  return lastKey;
};
