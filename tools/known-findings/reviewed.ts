/** Why each finding is right: read by hand in the source of the examples, or in the recording and the specification. */

export const reasonsOfExamples: Readonly<Record<string, string>> = {
  'RPC-12':
    'before 1.2, `42` is asked whether it has a member `method`, a TypeError: nobody catches it up to 0.21.1, and it closes the connection in 1.0.0. 1.4.0 takes `[]` for the end of the connection and ends with code 0.',
  'INIT-14': '`initialize()` answers `protocolVersion` and `agentCapabilities` alone.',
  'INIT-15': '`agentCapabilities` holds `loadSession` alone.',
  'INIT-18': '`newSession()` does not ask whether `initialize()` was called.',
  'AUTH-02': '`authenticate()` answers whatever it is asked.',
  'SESS-07': '`newSession()` does not look at its params.',
  'SESS-10':
    '`prompt()` throws for an unknown session, which the SDK turns into an internal error; `setSessionMode()` does not look the session up.',
  'MODE-07': '`setSessionMode()` says yes to any mode, and `newSession()` offers none.',
  'TOOL-02':
    'every turn calls its tools `call_1` and `call_2`, so the second turn of a session repeats the ids of finished calls, and that of `call_2` where it was left pending (A-08).',
  'TOOL-08': 'an allowed call goes from pending to completed.',
  'TOOL-09': 'a rejected call stays pending, and the turn ends with `end_turn`.',
  'CANCEL-02':
    'an outcome of cancelled leaves the turn as if it had ended by itself; the abort signal is not looked at again.',
  'CANCEL-10': 'as CANCEL-02, for the permission request that was open.',
  'PERM-09': 'as CANCEL-02, seen from the answer to the permission request.',
};

export const reasonsOfCaptures: Readonly<Record<string, string>> = {
  'RPC-06': 'a notification with a method that the agent does not know is answered with an error.',
  'RPC-11':
    'the answer to a line that is no message lacks `id`, which JSON-RPC wants as null; that of other frames has it.',
  'INIT-14': 'the result of initialize has no `agentInfo`.',
  'INIT-15':
    'one of `loadSession`, `promptCapabilities` and `auth` is not stated; here it is `auth`, and in the examples of the SDK the last two.',
  'INIT-23': 'the type of the method is known to an unstable schema alone.',
  'SCH-01': 'the same member as for INIT-23, as a value of its union.',
  'AUTH-02': 'a method that was not offered is accepted, or refused as an internal error (A-16).',
  'MODE-04': 'an unknown mode is refused as an internal error (A-16).',
  'MODE-07': 'a mode is set in a session that offered none.',
  'CFG-14': 'an option of category mode without the modes that older clients read.',
  'TOOL-07': 'the permission request says pending of a call that was said to be in progress.',
  'TOOL-08': 'after the permission was given, the next status of the call is completed.',
  'TOOL-12': 'the path of a location is relative.',
  'PATH-01': 'the path of a location is relative.',
  'EXT-03': 'a member that only an unstable schema has, outside `_meta`.',
};
