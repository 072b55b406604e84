import type { AssetRecord } from '../../../ports/records/asset.ts'
import { humanSize } from '../../catalog/human-size.ts'
import type { Found, Search, SearchResults } from '../../search/search.ts'
import { assetSource, type Draft, draftOf, listed } from '../knowledge/draft.ts'
import type { Facets } from '../question/facets.ts'
import type { PublicAssets } from '../question/public-assets.ts'
import { isPlain, quoted } from '../question/quoted-text.ts'
import type { Request } from '../question/request.ts'

interface Dependencies {
  readonly search: Search
  readonly assets: PublicAssets
}

type Zones = ReadonlySet<string> | undefined

/** Answers that are looked for among the assets. */
export interface FindAnswers {
  /** What fits a request best; its filters are exact. */
  search(request: Request, zones: Zones): Promise<SearchResults>
  found(answer: SearchResults): Draft
  /** That nothing fits, with what there is instead. */
  nothing(zones: Zones, isDegraded: boolean): Draft
}

const shown = 5
/** What scores so much less than the best is not worth a line. */
const worthwhileShare = 0.6

export function createFindAnswers({ search, assets }: Dependencies): FindAnswers {
  return {
    async search({ facets, message, isFollowUp }, zones) {
      const [path] = facets.paths
      const { zone, category } = facets
      const formats = facets.formats ?? []
      const query = { zone, category, zones, limit: shown }
      const ask = async (question: string): Promise<SearchResults> =>
        merged(
          await Promise.all(
            (formats.length === 0 ? [undefined] : formats).map((format) =>
              search.search({ ...query, question, format }),
            ),
          ),
        )
      const found = await ask(path ?? questionOf(facets))
      if (found.confidence !== 'low' || path !== undefined || isFollowUp) return found
      // What is left after all that filters is little; the whole sentence may mean something.
      const inWords = await ask(message.replace(leadIn, ''))
      return inWords.confidence === 'low' ? found : inWords
    },
    found({ results, confidence, isDegraded }) {
      const [best] = results
      if (!best) throw new Error('there must be something that was found')
      const shownResults = results.filter(({ score }) => score >= best.score * worthwhileShare)
      const [, ...others] = shownResults.map(
        ({ asset }, place) => `${quoted(asset.path)} [${place + 1}]`,
      )
      const lead = confidence === 'high' ? 'The best match is' : 'The closest I found is'
      const also = others.length === 0 ? '' : ` Also: ${others.join(', ')}.`
      return draftOf({
        text: `${lead} ${quoted(best.asset.path)} [1], ${kindOf(best.asset)}.${also}`,
        sources: shownResults.map(({ asset }) => assetSource(asset)),
        confidence,
        followUps: best.asset.contentType.startsWith('image/')
          ? ['800 wide webp of that', 'How many of those are there?']
          : [],
        isDegraded,
      })
    },
    nothing(zones, isDegraded) {
      const categories = assets.categories({ zones }).filter(isPlain).slice(0, 2)
      const instead =
        categories.length === 0 ? '' : ` I can show you ${listed(categories)}, for example.`
      return draftOf({
        text: `I found nothing that fits, neither among the files nor in the documentation.${instead}`,
        confidence: 'low',
        followUps: categories.map((category) => `List the ${category}`),
        isDegraded,
      })
    },
  }
}

/** What says that something is looked for, and not what. */
const leadIn =
  /^(?:please )?(?:find|search for|looking for|look for|show|give|get|do you have|do we have|have you got|i need|i want|i am looking for|we need)(?: me| us)? /iu

/** What is filtered by exactly need not be looked for once more, unless nothing else is said. */
function questionOf({ looks, words, category, kind, zone }: Facets): string {
  const own = [...looks, ...words]
  return (own.length === 0 ? [zone, kind, category] : own).filter(Boolean).join(' ')
}

function merged(answers: readonly SearchResults[]): SearchResults {
  const results: readonly Found[] = answers.flatMap((answer) => answer.results)
  const best = results.toSorted((a, b) => b.score - a.score).slice(0, shown)
  const leading = answers.find((answer) => answer.results[0] === best[0]) ?? answers[0]
  if (!leading) throw new Error('there must be an answer')
  return { ...leading, results: best }
}

const kindOf = ({ format, sizeBytes }: AssetRecord): string =>
  `${isPlain(format) ? format.toUpperCase() : 'a file'} of ${humanSize(sizeBytes)}`
