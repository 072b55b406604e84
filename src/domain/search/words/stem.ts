/**
 * A word without the commonest English endings, so that `webhooks` and `webhook`, `stored` and `store`,
 * `located` and `location` are one.
 */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  const singular = word
    .replace(/(ss|sh|ch|x)es$/u, '$1')
    .replace(/ies$/u, 'y')
    .replace(/([^su])s$/u, '$1')
  const bare = singular.replace(/(?<=\p{L}{3})(?:ing|ed|ion|er|able)$/u, '')
  return bare.replace(/(\p{L})\1$/u, '$1').replace(/(?<=\p{L}{3})e$/u, '')
}
