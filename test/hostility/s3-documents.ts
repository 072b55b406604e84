import type { Random } from '../support/random.ts'
import { absurdValue, type Making, nextTo, valueFor } from './hostile-values.ts'

/** Documents that clients of S3 send: names of elements, and what stands in them. */
const documents = {
  Delete: (making) => [
    element('Quiet', text('Quiet', making)),
    ...some(making, () =>
      element('Object', element('Key', keyText(making)) + maybe('VersionId', making)),
    ),
  ],
  CompleteMultipartUpload: (making) =>
    some(making, () =>
      element(
        'Part',
        element('PartNumber', partNumber(making)) + element('ETag', etag(making.random)),
      ),
    ),
  Tagging: (making) => [
    element(
      'TagSet',
      some(making, () =>
        element('Tag', element('Key', text('Key', making)) + element('Value', text('', making))),
      ).join(''),
    ),
  ],
  CORSConfiguration: (making) =>
    some(making, () =>
      element(
        'CORSRule',
        element('AllowedOrigin', text('origin', making)) + element('AllowedMethod', 'GET'),
      ),
    ),
  VersioningConfiguration: ({ random }) => [
    element('Status', random.pick(['Enabled', 'Suspended', 'On', ''])),
  ],
  CreateBucketConfiguration: (making) => [element('LocationConstraint', text('', making))],
  AccessControlPolicy: (making) => [element('Owner', element('ID', text('', making)))],
} satisfies Record<string, (making: Making) => readonly string[]>

export type DocumentName = keyof typeof documents

/** Documents that no reader may be brought down by. */
const bombs: readonly [string, ...string[]] = [
  '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><Delete>&c;</Delete>',
  '<!DOCTYPE a SYSTEM "file:///etc/passwd"><Delete/>',
  '<a>'.repeat(5000),
  `<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`,
  `<Delete>${'<Object>'.repeat(40)}${'</Object>'.repeat(40)}</Delete>`,
  `<Delete><Object><Key>${'a'.repeat(2000)}</Key></Object></Delete>`,
  '<Delete><Object><Key>&#0;</Key></Object></Delete>',
  '<Delete><Object><Key>a</Key><Key>b</Key></Object></Delete>',
  `<Delete ${'a="1" '.repeat(500)}/>`,
  '<?xml version="1.0" encoding="UTF-16"?><Delete/>',
  '\uFEFF<Delete/>',
  '<Delete><![CDATA[',
  '{}',
]

export function documentFor(name: DocumentName, making: Making): string | Uint8Array<ArrayBuffer> {
  const { random, absurd } = making
  const chance = random.integer(1, 200)
  if (chance <= absurd / 2) return random.bytes(random.integer(0, 500))
  if (chance <= absurd * 2) return random.pick(bombs)
  const made = element(name, documents[name](making).join(''))
  return random.integer(1, 200) <= absurd ? made.slice(0, random.integer(0, made.length)) : made
}

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`

const some = ({ random, absurd }: Making, make: () => string): readonly string[] =>
  Array.from({ length: random.integer(0, absurd > 10 ? 40 : 4) }, make)

const maybe = (name: string, making: Making): string =>
  making.random.next() < 0.3 ? element(name, text(name, making)) : ''

/** What stands in an element: mostly escaped. */
function text(name: string, making: Making): string {
  const made = valueFor(name, { type: 'string' }, making)
  const value = (typeof made === 'string' ? made : (JSON.stringify(made) ?? '')).slice(0, 3000)
  return making.random.next() < 0.97 ? Bun.escapeHTML(value) : value
}

/** Paths are known with their zone. */
const keyText = (making: Making): string => text('path', making).replace(/^[a-z]+\/(?:v1\/)?/u, '')

const partNumber = (making: Making): string => {
  const { random, absurd } = making
  if (random.integer(1, 100) <= absurd) return textOf(absurdValue(making))
  return String(random.pick([1, 2, 3, 0, 10_000, 10_001]))
}

const textOf = (value: unknown): string =>
  Bun.escapeHTML((JSON.stringify(value) ?? '').slice(0, 99))

const etag = (random: Random): string => {
  const right = '"d41d8cd98f00b204e9800998ecf8427e"'
  return Bun.escapeHTML(random.next() < 0.7 ? right : nextTo(right, random))
}
