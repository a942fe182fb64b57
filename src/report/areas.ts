/** Protocol areas in the order in which people meet them; the prefix of a requirement id names its area. */
const areas: Readonly<Record<string, string>> = {
  FRM: 'Framing',
  RPC: 'JSON-RPC',
  SCH: 'Schema',
  INIT: 'Initialization',
  CAP: 'Capabilities',
  AUTH: 'Authentication',
  SESS: 'Session set-up',
  LOAD: 'Session load',
  RESUME: 'Session resume',
  LIST: 'Session list',
  CLOSE: 'Session close',
  DEL: 'Session delete',
  DIR: 'Extra directories',
  MCP: 'MCP servers',
  PROMPT: 'Prompt turn',
  CONT: 'Content',
  UPD: 'Updates',
  MSGID: 'Message ids',
  TOOL: 'Tool calls',
  PERM: 'Permission',
  CANCEL: 'Cancellation',
  RCANCEL: 'Request cancellation',
  PLAN: 'Plan',
  MODE: 'Modes',
  CFG: 'Config options',
  CMD: 'Commands',
  INFO: 'Session info',
  USAGE: 'Usage',
  FS: 'File system',
  TERM: 'Terminals',
  ELIC: 'Elicitation',
  NOTE: 'Notices',
  COMP: 'Compaction',
  EXT: 'Extensions',
  PATH: 'Paths and lines',
};

/** The area of a requirement, by its id; of an unknown area its prefix. */
export const areaOf = (requirement: string): string => {
  const prefix = requirement.slice(0, requirement.indexOf('-'));
  return areas[prefix] ?? prefix;
};

const order = Object.values(areas);

/** Sorts by area as people meet them, unknown ones last. */
export const byArea = (a: string, b: string): number => rank(a) - rank(b);

const rank = (area: string): number => (order.includes(area) ? order.indexOf(area) : order.length);
