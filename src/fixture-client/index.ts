export { type ClientServices, type ClientServicesOptions, createClientServices } from './client-services.ts';
export { type FixtureClientOptions, fixtureClient } from './fixture-client.ts';
export type { PermissionPolicy } from './permissions.ts';
