import { visibleText } from '../../../lib/text/visible-text.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { SightingStore, SuggestedMember } from '../../../ports/vision/sighting-store.ts'
import type { Safety } from '../../../ports/records/vision/sighting.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { languagesOf } from '../../content/zone-settings.ts'
import type { Sightings } from './sightings.ts'
import { soundTags } from './sound-sighting.ts'

/** Where a suggestion comes from: a model, what is known of the asset, what is written in it, or its name. */
export const suggestionSources = ['vision', 'metadata', 'text', 'name'] as const
export type SuggestionSource = (typeof suggestionSources)[number]

/** `off`: the operator has set no model, or the zone wants none; `failed`: it said nothing that can be used. */
export const visionStates = ['seen', 'pending', 'failed', 'off'] as const
export type VisionState = (typeof visionStates)[number]

export interface Suggested {
  /** By language. */
  readonly alt: Readonly<Record<string, string>>
  readonly tags: readonly string[]
  /** What is written in it. */
  readonly text: string
  /** Of each member that is there. */
  readonly sources: Readonly<Partial<Record<'alt' | 'tags' | 'text', SuggestionSource>>>
  /** Absent where no model has said it: nothing else can. */
  readonly safety: Safety | undefined
  readonly vision: VisionState
}

/** What may be said of assets, until a person says it. */
export interface Suggestions {
  /** All that there is to suggest, whatever is said already. */
  all(asset: AssetRecord): Promise<Suggested>
  /** What nobody says yet, and nobody has refused. */
  open(asset: AssetRecord): Promise<Suggested>
  /** Suggests these members no more for this path, as long as it has these bytes. */
  dismiss(asset: AssetRecord, members: readonly SuggestedMember[]): Promise<void>
}

interface Dependencies {
  readonly sightings: Pick<Sightings, 'of' | 'isSeen'>
  readonly store: Pick<SightingStore, 'settled' | 'settle'>
  readonly factsOf: (sha256: string) => Promise<Pick<MediaFacts, 'text'> | undefined>
  readonly zone: (name: string) => ZoneRecord | undefined
}

export function createSuggestions(dependencies: Dependencies): Suggestions {
  const { sightings, store, factsOf, zone } = dependencies

  async function all(asset: AssetRecord): Promise<Suggested> {
    const kept = await sightings.of(asset.sha256)
    const written = (await factsOf(asset.sha256))?.text ?? ''
    const [language = 'en'] = languagesOf(zone(asset.zone))
    const local = localSuggestion(asset, { written, language })
    if (kept?.sighting !== undefined) return { ...seenOver(local, kept.sighting), vision: 'seen' }
    const vision = kept === undefined ? (sightings.isSeen(asset) ? 'pending' : 'off') : 'failed'
    return { ...local, vision }
  }

  return {
    all,
    async open(asset) {
      const suggested = await all(asset)
      const settled = new Set(await store.settled(asset.path, asset.sha256))
      return withoutTags(withoutAlt(suggested, asset, settled), asset, settled)
    },
    async dismiss({ path, sha256 }, members) {
      const before = await store.settled(path, sha256)
      await store.settle({ path, sha256, members: [...new Set([...before, ...members])] })
    },
  }
}

type Settled = ReadonlySet<SuggestedMember>

/** Without the languages in which somebody says it. */
function withoutAlt(suggested: Suggested, { metadata }: AssetRecord, settled: Settled): Suggested {
  const said = metadata?.alt ?? {}
  const left = Object.entries(suggested.alt).filter(([language]) => !(language in said))
  if (!settled.has('alt') && left.length > 0) return { ...suggested, alt: Object.fromEntries(left) }
  const { alt: _alt, ...sources } = suggested.sources
  return { ...suggested, alt: {}, sources }
}

/** Without tags where somebody has said some. */
function withoutTags(suggested: Suggested, { metadata }: AssetRecord, settled: Settled): Suggested {
  if (!settled.has('tags') && (metadata?.tags ?? []).length === 0) return suggested
  const { tags: _tags, ...sources } = suggested.sources
  return { ...suggested, tags: [], sources }
}

type Local = Omit<Suggested, 'vision'>

interface Known {
  readonly written: string
  readonly language: string
}

const maxAltLength = 200

/** What can be said without having seen it. */
function localSuggestion(asset: AssetRecord, { written, language }: Known): Local {
  const { title, description } = asset.metadata ?? {}
  const [source, said] =
    [
      ['metadata', title ?? description ?? ''] as const,
      ['text', written] as const,
      ['name', wordsOfName(asset)] as const,
    ].find(([, text]) => text !== '') ?? (['name', ''] as const)
  const alt = visibleText(said, maxAltLength)
  const tags = soundTags(
    asset.path
      .split('/')
      .slice(2, -1)
      .filter((part) => /\p{L}/u.test(part)),
  )
  return {
    alt: alt === '' ? {} : { [language]: alt },
    tags,
    text: written,
    safety: undefined,
    sources: {
      ...(alt !== '' && { alt: source }),
      ...(tags.length > 0 && { tags: 'name' }),
      ...(written !== '' && { text: 'text' }),
    },
  }
}

/** The name of the file without its format, as words; of letters and digits without a word nothing. */
function wordsOfName({ name, format }: Pick<AssetRecord, 'name' | 'format'>): string {
  const stem = format === '' ? name : name.slice(0, -format.length - 1)
  const words = visibleText(stem, maxAltLength)
    .replace(/[-_.+~]+/gu, ' ')
    .trim()
  return /\p{L}{3}/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : ''
}

function seenOver(
  local: Local,
  seen: Omit<Local, 'sources' | 'safety'> & { readonly safety: Safety },
): Local {
  const isAlt = Object.keys(seen.alt).length > 0
  const isTags = seen.tags.length > 0
  const isText = seen.text !== ''
  return {
    alt: isAlt ? seen.alt : local.alt,
    tags: isTags ? seen.tags : local.tags,
    text: isText ? seen.text : local.text,
    safety: seen.safety,
    sources: {
      ...local.sources,
      ...(isAlt && { alt: 'vision' }),
      ...(isTags && { tags: 'vision' }),
      ...(isText && { text: 'vision' }),
    },
  }
}
