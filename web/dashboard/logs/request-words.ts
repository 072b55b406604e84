/** What can stand before a colon in a query, and an example of what may follow. */
const words: readonly (readonly [word: string, example: string])[] = [
  ['status', '>=400'],
  ['method', 'PUT'],
  ['zone', 'acme'],
  ['path', '/acme/v1/*'],
  ['ms', '>200'],
  ['bytes', '>1mb'],
  ['cache', 'miss'],
  ['by', 'token'],
  ['token', 'ci'],
  ['country', 'DE'],
  ['network', '192.0.2.*'],
  ['code', 'NotFound'],
  ['id', ''],
  ['referrer', '*.example.org'],
  ['agent', 'curl'],
  ['operation', 'putFile'],
]

/** Queries that go on from what is typed: the words that its last one may become. */
export function suggestionsFor(query: string): readonly string[] {
  const start = query.lastIndexOf(' ') + 1
  const typed = query.slice(start)
  const isNegated = typed.startsWith('-')
  const begun = isNegated ? typed.slice(1) : typed
  const before = query.slice(0, start) + (isNegated ? '-' : '')
  return words
    .filter(([word]) => word.startsWith(begun) || begun.startsWith(`${word}:`))
    .map(([word, example]) => `${before}${word}:${example}`)
    .filter((suggestion) => suggestion !== query)
}
