export { exportManifest, loadManifest } from './load.ts';
export { type Manifest, missingReferences, referencesIn, resolveReferences } from './manifest.ts';
export {
  ManifestValidationError,
  type ValidateOptions,
  type Validation,
  validateManifest,
} from './validate.ts';
