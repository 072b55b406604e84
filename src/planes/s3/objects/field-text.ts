/**
 * A field of a request as the client meant it: its bytes are UTF-8, as all clients send it, or else
 * Latin-1 (RFC 9110 §5.5 leaves it open).
 */
export function textOfField(value: string): string {
  if (isAscii(value)) return value
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** The same for a response: each character stands for a byte of UTF-8. */
export const fieldText = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')

const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/u.test(text)
