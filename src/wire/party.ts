/** The two ends of an ACP connection. */
export type Party = 'client' | 'agent';

export const otherParty = (party: Party): Party => (party === 'client' ? 'agent' : 'client');
