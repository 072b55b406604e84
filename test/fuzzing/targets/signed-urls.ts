import {
  countedText,
  isSignatureValid,
  plainText,
  sign,
  signedExtras,
} from '../../../src/domain/access/signed-url.ts'
import { type FuzzTarget, inputOf, promise, textOf } from '../fuzz-target.ts'

/** A query. What is taken for signed is what somebody has signed, in its order or another. */
export const signedUrls: FuzzTarget = {
  name: 'signed-urls',
  seeds: async () => signedQueries.map((query) => inputOf(query)),
  words: [
    'path=',
    'expires=',
    'sig=',
    '&t.w=',
    '&t.h=1',
    '&',
    '=',
    ':',
    '|',
    '%7C',
    '%3A',
    '%',
    '+',
    '1775044801',
    '0',
    'acme/v1/a.jpg',
    '/',
    '..',
    '%00',
    '%ED%A0%80',
    '&path=',
    '&sig=',
  ],
  async look(input) {
    const parameters = parametersOf(textOf(input))
    const isValid = isSignatureValid(parameters, { secret, now, maxAgeSeconds: 3600 })
    const meaning = meaningOf(parameters)
    if (isValid) promise(signedMeanings.has(meaning), `nobody has signed ${meaning}`)
    return isValid ? `signed with ${parameters.extras.length}` : 'refused: no signature'
  },
}

const secret = 'fuzz-secret'
const now = new Date('2026-04-01T12:00:00Z')
const path = 'acme/v1/a.jpg'
const expires = String(now.getTime() / 1000 + 600)
const extras = [
  ['t.w', '100'],
  ['t.h', '5'],
] as const

function parametersOf(query: string) {
  const sent = new URLSearchParams(query)
  return {
    path: sent.get('path') ?? undefined,
    expires: sent.get('expires') ?? undefined,
    signature: sent.get('sig') ?? undefined,
    extras: [...sent].filter(([name]) => name.startsWith('t.')),
  }
}

const meaningOf = (parameters: ReturnType<typeof parametersOf>): string =>
  JSON.stringify([
    parameters.path,
    parameters.expires,
    parameters.extras.map((pair) => JSON.stringify(pair)).toSorted(),
  ])

const signedQueries = [
  [plainText(path, expires), []] as const,
  [countedText(path, expires), []] as const,
  [plainText(path, expires) + signedExtras(extras), extras] as const,
].map(([text, more]) =>
  String(
    new URLSearchParams([
      ['path', path],
      ['expires', expires],
      ['sig', sign(text, secret)],
      ...more.map(([name, value]) => [name, value]),
    ]),
  ),
)
const signedMeanings: ReadonlySet<string> = new Set(
  signedQueries.map((query) => meaningOf(parametersOf(query))),
)
