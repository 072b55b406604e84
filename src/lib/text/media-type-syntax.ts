const token = "[a-z0-9!#$%&'*+.^_`|~-]+"
const mediaType = new RegExp(`^${token}/${token}(\\s*;\\s*${token}=(${token}|"[^"\\\\]*"))*$`, 'iu')
const maxLength = 200

/** Whether it is one media type with its parameters, and nothing besides (RFC 9110 §8.3.1). */
export const isMediaType = (text: string): boolean =>
  text.length <= maxLength && mediaType.test(text)
