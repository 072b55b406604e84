import { type Draft, draftOf, listed } from '../knowledge/draft.ts'
import type { AssetScope, PublicAssets } from '../question/public-assets.ts'
import { isPlain, named } from '../question/quoted-text.ts'
import type { Request } from '../question/request.ts'

/** Which zones, categories or formats there are, and how many. */
export function namesDraft(
  assets: PublicAssets,
  request: Request,
  zones: ReadonlySet<string> | undefined,
): Draft {
  const { facets } = request
  const names = namesOf(assets, request, { zone: facets.zone, category: facets.category, zones })
  const noun = nounOf(request, names.length)
  const where = facets.zone === undefined ? '' : ` in zone ${facets.zone}`
  const rest = names.length > maxShown ? ', …' : ''
  return draftOf({
    text:
      names.length === 0
        ? `There are no ${noun} with public files${where}.`
        : `${names.length} ${noun} with public files${where}: ${listed(names.slice(0, maxShown).map(named))}${rest}.`,
    isExact: true,
    followUps: names
      .filter(isPlain)
      .slice(0, 2)
      .map((name) => followUpAbout(request, name)),
  })
}

const maxShown = 20

function namesOf(assets: PublicAssets, { subject }: Request, scope: AssetScope): readonly string[] {
  if (subject === 'zones') return assets.zones(scope)
  return subject === 'categories' ? assets.categories(scope) : assets.formats(scope)
}

const nounOf = ({ subject }: Request, count: number): string =>
  count === 1
    ? { zones: 'zone', categories: 'category', formats: 'format', assets: 'file' }[subject]
    : subject

function followUpAbout({ subject, facets }: Request, name: string): string {
  const where = facets.zone === undefined ? '' : ` in ${facets.zone}`
  if (subject === 'zones') return `How many files does ${name} have?`
  return subject === 'categories'
    ? `List the ${name}${where}`
    : `How many ${name} files are there${where}?`
}
