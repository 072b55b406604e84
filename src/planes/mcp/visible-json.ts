/**
 * JSON in which nothing hides: control characters, marks of direction, tags and other characters that cannot be
 * seen are written as escapes. What tenants named or wrote reaches an agent in this form alone.
 */
export const visibleJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(/[\p{C}\u2028\u2029]/gu, escaped)

function escaped(character: string): string {
  let text = ''
  for (let at = 0; at < character.length; at += 1)
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  return text
}
