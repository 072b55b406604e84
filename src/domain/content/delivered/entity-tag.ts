/** The strong validator of stored bytes (RFC 9110 §8.8.3): equal tags, equal bytes, whatever the path. */
export const entityTagOf = (sha256: string): string => `"${sha256}"`
