import { setImmediate } from 'node:timers/promises'

import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { humanSize } from '../../catalog/human-size.ts'
import { imageWords } from '../../search/words/index-text.ts'
import { assetSource, type Draft, draftOf } from '../knowledge/draft.ts'
import { namesDraft } from './name-answers.ts'
import type { AssetScope, PublicAssets, Sorting } from '../question/public-assets.ts'
import { quoted } from '../question/quoted-text.ts'
import type { Request } from '../question/request.ts'
import { scopeName, scopeOf } from '../question/scope-words.ts'

interface Dependencies {
  readonly assets: PublicAssets
  readonly factsOf: (sha256: string) => Promise<MediaFacts | undefined>
}

type Zones = ReadonlySet<string> | undefined

/** Answers that are looked up in the catalogue: exact, and never estimated. */
export interface CatalogueAnswers {
  count(request: Request, zones: Zones): Promise<Draft>
  total(request: Request, zones: Zones): Promise<Draft>
  list(request: Request, zones: Zones): Promise<Draft>
  /** How many fit, and the first of them. */
  sample(request: Request, zones: Zones, limit: number): Promise<Sample>
}

const byPath: Sorting = { key: 'path', order: 'asc' }
const shownWithCount = 5
const shownInList = 10
const shownWhenSorted = 5
const maxShown = 20
/** Of so many images the colours are looked up one by one. */
const maxLookedAt = 2_000
/** So many take no time that anybody would notice. */
const betweenTurns = 50

export function createCatalogueAnswers({ assets, factsOf }: Dependencies): CatalogueAnswers {
  async function looksLike(asset: AssetRecord, looks: readonly string[]): Promise<boolean> {
    const facts = await factsOf(asset.sha256)
    const words = facts ? imageWords(facts) : []
    return looks.every((look) => words.includes(look === 'grey' ? 'gray' : look))
  }

  /** Those in the scope that look as asked, in the order. */
  async function chosen(scope: AssetScope, looks: readonly string[], sorting: Sorting) {
    const chosenAssets: AssetRecord[] = []
    for (const [place, asset] of assets.first(scope, sorting, maxLookedAt).entries()) {
      if (await looksLike(asset, looks)) chosenAssets.push(asset)
      // Others get their turn: what is looked up may be at hand at once.
      if (place % betweenTurns === betweenTurns - 1) await setImmediate()
    }
    return chosenAssets
  }

  async function sample(request: Request, zones: Zones, limit: number): Promise<Sample> {
    const { facets } = request
    const scope = scopeOf(facets, zones)
    const sorting = facets.sorting ?? byPath
    if (facets.looks.length === 0)
      return { number: assets.count(scope), first: assets.first(scope, sorting, limit) }
    const all = await chosen(scope, facets.looks, sorting)
    return { number: all.length, first: all.slice(0, limit) }
  }

  return {
    sample,
    async count(request, zones) {
      if (request.subject !== 'assets') return namesDraft(assets, request, zones)
      return countDraft(request, await sample(request, zones, shownWithCount))
    },
    async total({ facets }, zones) {
      const scope = scopeOf(facets, zones)
      const bytes = await assets.bytes(scope)
      const number = assets.count(scope)
      const [largest] = assets.first(scope, { key: 'size', order: 'desc' }, 1)
      const about = largest ? ` The largest is ${quoted(largest.path)} [1].` : ''
      return draftOf({
        text: `${number} public ${scopeName(facets, number)}: ${bytes} bytes together (${humanSize(bytes)}).${about}`,
        sources: largest ? [assetSource(largest)] : [],
        isExact: true,
        followUps: ['Which are the largest?'],
      })
    },
    async list(request, zones) {
      if (request.subject !== 'assets') return namesDraft(assets, request, zones)
      const { sorting, limit } = request.facets
      const wanted = limit ?? (sorting === undefined ? shownInList : shownWhenSorted)
      const shown = Math.max(1, Math.min(maxShown, wanted))
      return listDraft(request, await sample(request, zones, shown))
    },
  }
}

/** How many there are, and the first of them. */
interface Sample {
  readonly number: number
  readonly first: readonly AssetRecord[]
}

const noneDraft = ({ facets }: Request): Draft =>
  draftOf({ text: `There are no public ${scopeName(facets, 0)}.`, isExact: true })

function countDraft(request: Request, { number, first }: Sample): Draft {
  if (number === 0) return noneDraft(request)
  const paths = first.map(({ path }, place) => `${quoted(path)} [${place + 1}]`)
  const more = number > first.length ? `, … ${wholeList(request)}` : '.'
  return draftOf({
    text: `${number} public ${scopeName(request.facets, number)}: ${paths.join(', ')}${more}`,
    sources: first.map(assetSource),
    isExact: true,
    followUps: number > first.length ? ['Which ones?'] : [],
  })
}

function listDraft(request: Request, { number, first }: Sample): Draft {
  if (number === 0) return noneDraft(request)
  const { sorting } = request.facets
  const lines = first.map(
    (asset, place) => `${quoted(asset.path)} (${noteOf(asset, sorting)}) [${place + 1}]`,
  )
  const more = number > first.length ? `\n${wholeList(request)}` : ''
  return draftOf({
    text: `${headOf(request, first.length, number)}:\n${lines.join('\n')}${more}`,
    sources: first.map(assetSource),
    isExact: true,
    followUps: first.some(isRaster) ? ['800 wide webp of that'] : [],
  })
}

const isRaster = ({ contentType }: AssetRecord): boolean => contentType.startsWith('image/')

function headOf({ facets }: Request, shown: number, number: number): string {
  const what = scopeName(facets, number)
  if (facets.sorting === undefined)
    return shown < number
      ? `The first ${shown} of ${number} public ${what}`
      : `${number} public ${what}`
  const { key, order } = facets.sorting
  const name = { size: ['largest', 'smallest'], date: ['newest', 'oldest'] }[key as 'size' | 'date']
  const superlative = order === 'desc' ? name[0] : name[1]
  return `The ${shown === 1 ? '' : `${shown} `}${superlative} of ${number} public ${what}`
}

const noteOf = ({ sizeBytes, changedAt }: AssetRecord, sorting: Sorting | undefined): string =>
  sorting?.key === 'date' ? changedAt.toISOString().slice(0, 10) : humanSize(sizeBytes)

/** The same query, for those who have a key. */
function wholeList({ facets }: Request): string {
  const query = new URLSearchParams()
  if (facets.zone !== undefined) query.set('project', facets.zone)
  if (facets.category !== undefined) query.set('category', facets.category)
  const [format, ...others] = facets.formats ?? []
  if (format !== undefined && others.length === 0) query.set('format', format)
  if (facets.words.length > 0) query.set('q', facets.words.join(' '))
  if (facets.sorting) {
    query.set('sort', facets.sorting.key)
    query.set('order', facets.sorting.order)
  }
  return `With the access key, GET /api/assets?${query.toString()} lists them all.`
}
