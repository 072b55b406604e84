import type { ContentCredentials } from '../../../../ports/media/carried-data.ts'
import { type CborValue, readCbor } from './cbor.ts'
import { type JumbfBox, readJumbf } from './jumbf.ts'

const maxText = 200
const maxActions = 50

/** What a manifest store says of the image it lies in. Nothing of it is verified. */
export function readCredentials(bytes: Uint8Array): ContentCredentials | undefined {
  const store = readJumbf(bytes).find(({ label }) => label === 'c2pa')
  // The last one is of the image as it is (C2PA 2.2 §11.1.4.2).
  const active = store?.children.at(-1)
  if (store === undefined || active === undefined) return undefined
  const claim = claimOf(active)
  return {
    manifests: store.children.length,
    generator: generatorOf(claim),
    title: textOf(claim['dc:title']),
    actions: actionsOf(active),
  }
}

type Claim = Readonly<Record<string, CborValue>>

function claimOf({ children }: JumbfBox): Claim {
  const box = children.find(({ label }) => /^c2pa\.claim(?:\.v\d+)?$/u.test(label))
  return objectOf(box && contentOf(box))
}

const contentOf = ({ children }: JumbfBox): CborValue | undefined => {
  const content = children.find(({ type }) => type === 'cbor')?.content
  return content && readCbor(content)
}

const objectOf = (value: CborValue | undefined): Claim =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claim) : {}

/** What made it: said as text, or as an object or several with names. */
function generatorOf(claim: Claim): string | undefined {
  const said = claim['claim_generator_info']
  const first = Array.isArray(said) ? (said as readonly CborValue[])[0] : said
  return textOf(objectOf(first)['name']) ?? textOf(claim['claim_generator'])
}

/** What was done, and whether by a camera, by hand or by a model: the last word of the source's type. */
function actionsOf({ children }: JumbfBox): ContentCredentials['actions'] {
  const assertions = children.find(({ label }) => label === 'c2pa.assertions')?.children ?? []
  return assertions
    .filter(({ label }) => label.startsWith('c2pa.actions'))
    .flatMap((assertion) => {
      const list = objectOf(contentOf(assertion))['actions']
      return Array.isArray(list) ? (list as readonly CborValue[]) : []
    })
    .slice(0, maxActions)
    .flatMap((item) => {
      const { action, digitalSourceType } = objectOf(item)
      const name = textOf(action)
      const source = textOf(digitalSourceType)
      return name === undefined
        ? []
        : [{ name, source: source?.slice(source.lastIndexOf('/') + 1) }]
    })
}

function textOf(value: CborValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replaceAll(/[\p{Cc}\p{Cf}\ud800-\udfff]/gu, '')
    .trim()
    .slice(0, maxText)
  return text === '' ? undefined : text
}
