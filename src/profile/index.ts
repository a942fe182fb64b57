export { loadProfile, profileNames } from './load-profile.ts';
export type { Profile, ProfileRequest } from './profile.ts';
