import { isObject, type Json } from '../wire/index.ts';

/** Whether capabilities advertise an extension: an object with a `_meta` that says something, at any depth. */
export const hasExtensions = (capabilities: Json | undefined): boolean =>
  isObject(capabilities) &&
  Object.entries(capabilities).some(([name, member]) =>
    name === '_meta' ? isObject(member) && Object.keys(member).length > 0 : hasExtensions(member),
  );
