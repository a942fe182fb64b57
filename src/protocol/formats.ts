/** Formats of strings that the generated gates and the explanation both check. */

/** Absolute by POSIX or by Windows rules (drive or UNC), whatever this machine is. Source: ACP v1, Protocol, "Argument requirements". */
export const isAbsolutePath = (text: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\])/.test(text);

/** RFC 4648 section 4, padded, on one line; the empty text counts. */
export const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** Date and time by ISO 8601, extended format; fraction and offset may be left out. */
export const isIsoTimestamp = (text: string): boolean => {
  const [, local] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(?:Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text) ?? [];
  return local !== undefined && !Number.isNaN(Date.parse(local.replace(',', '.')));
};

/** An absolute URI by RFC 3986, loosely: a scheme, and no white space. */
const isUri = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(text);

/** By the name that shapes use. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'absolute-path': isAbsolutePath,
  base64: isBase64,
  'iso-timestamp': isIsoTimestamp,
  uri: isUri,
};

/**
 * Bounds of number formats. A JSON number beyond 2^53 has lost its last digits when it arrives, so the bounds of the
 * 64-bit formats are the nearest that can be told.
 */
export const bounds: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  uint16: [0, 65_535],
  int32: [-2_147_483_648, 2_147_483_647],
  uint32: [0, 4_294_967_295],
  int64: [-(2 ** 63), 2 ** 63],
  uint64: [0, 2 ** 64],
};
