import { visibleText } from '../../lib/text/visible-text.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { MediaFacts } from '../../ports/media/media-facts-store.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Search } from '../search/search.ts'
import { actionDraft } from './answers/action-answers.ts'
import { type CatalogueAnswers, createCatalogueAnswers } from './answers/catalogue-answers.ts'
import { type Draft, draftOf } from './knowledge/draft.ts'
import { pathsIn } from './question/facets.ts'
import { createFindAnswers } from './answers/find-answers.ts'
import { refine } from './question/follow-up.ts'
import { createMeantAssets } from './answers/meant-assets.ts'
import { type Order, readOrder } from './question/orders.ts'
import type { Knowledge } from './knowledge/knowledge.ts'
import { createLooseAnswers, type LooseAnswers } from './answers/loose-answers.ts'
import { createPublicAssets, type PublicAssets, withNamesOnce } from './question/public-assets.ts'
import { type Intent, readRequest, type Request } from './question/request.ts'
import { transformDraft } from './answers/transform-answers.ts'

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface Conversation {
  readonly message: string
  /** What was said before, oldest first. */
  readonly history: readonly Turn[]
  /** The zones the caller may see; all where `undefined`. */
  readonly zones: ReadonlySet<string> | undefined
}

/** Answers from the catalogue, the assets and the documentation, and from nothing else. */
export interface Assistant {
  answer(conversation: Conversation): Promise<Draft>
}

interface Dependencies {
  readonly catalog: Pick<Catalog, 'asset' | 'zone' | 'zones' | 'zoneSummary' | 'expiring' | 'list'>
  readonly now: () => Date
  readonly search: Search
  readonly knowledge: Knowledge
  readonly factsOf: (sha256: string) => Promise<MediaFacts | undefined>
}

type Zones = ReadonlySet<string> | undefined

/** Of a message so many characters are read: whoever asks says what he wants within them. */
const maxMessageLength = 1_000
/** What was asked before only says what a message leans on. */
const maxFormerLength = 400
/** Paths are looked for in so much of an answer. */
const maxAnswerLength = 8_000

export function createAssistant(dependencies: Dependencies): Assistant {
  const { catalog, now, search, knowledge, factsOf } = dependencies
  const assets = createPublicAssets(catalog, now)
  const catalogue = createCatalogueAnswers({ assets, factsOf })
  const finds = createFindAnswers({ search, assets })
  const loose = createLooseAnswers({ finds, knowledge })

  const meantAssets = createMeantAssets({ assets, catalogue, finds })

  /** What a message asks for, after what was asked before it. */
  function understand({ message, history, zones }: Conversation) {
    const known = { assets: withNamesOnce(assets, zones), zones }
    let former: Request | undefined
    for (const { content } of history.filter(({ role }) => role === 'user'))
      former = refine(former, readRequest(visibleText(content, maxFormerLength), known))
    const read = (text: string) => readRequest(visibleText(text, maxMessageLength), known)
    return { former, read, request: refine(former, read(message)) }
  }

  /** What is to be done says the message alone: nothing that was found or answered is read for it. */
  async function prepare(order: Order, conversation: Conversation): Promise<Draft> {
    const { zones, history } = conversation
    const { former, read } = understand(conversation)
    return await actionDraft(order, {
      isOpen: (zone) => assets.isOpen(zone, zones),
      meant: (what, limit) =>
        meantAssets(
          { request: read(what), what, limit },
          { former, named: namedLast(assets, history, zones) },
          zones,
        ),
    })
  }

  async function transform(request: Request, conversation: Conversation): Promise<Draft> {
    const { facets } = request
    const { zones, history } = conversation
    const [named] = facets.paths
    const path =
      named ?? (request.isFollowUp ? namedLast(assets, history, zones)[0]?.path : undefined)
    if (path !== undefined) return transformDraft(assets.find(path, zones), facets.transform)
    const isNothingNamed = facets.words.length === 0 && !facets.hasNoun
    const found = isNothingNamed ? undefined : await finds.search(imageRequest(request), zones)
    const isFound = found !== undefined && found.confidence !== 'low'
    return transformDraft(isFound ? found.results[0]?.asset : undefined, facets.transform)
  }

  return {
    async answer(conversation) {
      const order = readOrder(visibleText(conversation.message, maxMessageLength))
      if (order !== undefined) return await prepare(order, conversation)
      const { request } = understand(conversation)
      const { zones } = conversation
      const answers: Readonly<Record<Intent, () => Draft | Promise<Draft>>> = {
        greeting: () => greetingDraft,
        count: () => counted(request, zones, { catalogue, loose }),
        total: () => catalogue.total(request, zones),
        list: () => catalogue.list(request, zones),
        url: () => transform(request, conversation),
        find: () => loose.find(request, zones),
        fact: () => loose.fact(request, zones),
        open: () => loose.open(request, zones),
      }
      return await answers[request.intent]()
    },
  }
}

interface Counting {
  readonly catalogue: CatalogueAnswers
  readonly loose: LooseAnswers
}

/** A number; where nothing has such a name the question may be one about the service. */
async function counted(
  request: Request,
  zones: Zones,
  { catalogue, loose }: Counting,
): Promise<Draft> {
  const draft = await catalogue.count(request, zones)
  const isNone = draft.sources.length === 0 && request.subject === 'assets'
  if (!isNone || request.facets.words.length === 0 || asksWithin(request)) return draft
  return (await loose.namedFact(request)) ?? draft
}

/** What was named last, as far as it is still there. */
function namedLast(
  assets: PublicAssets,
  history: readonly Turn[],
  zones: Zones,
): readonly AssetRecord[] {
  for (const { content } of history.toReversed()) {
    const paths = new Set(pathsIn(content.slice(0, maxAnswerLength)))
    const named = [...paths].flatMap((each) => assets.find(each, zones) ?? [])
    if (named.length > 0) return named
  }
  return []
}

/** `in closed` asks for what is in something of that name, be it there or not. */
function asksWithin({ message, facets: { words } }: Request): boolean {
  const [, place = ''] = /\bin (?:the )?([\w-]{2,64})\W*$/u.exec(message.toLowerCase()) ?? []
  return words.length === 1 && words[0] === place
}

/** A format beside a size says what is wanted, not what there is. */
const imageRequest = (request: Request): Request => ({
  ...request,
  facets: { ...request.facets, formats: undefined },
})

const greetingDraft: Draft = draftOf({
  text: 'I find files, count and list them, make addresses of pictures in other sizes and formats, and answer from the documentation of this service. Ask me anything about those.',
  followUps: [
    'How many files are there?',
    'How do I upload a file?',
    'Which are the largest files?',
  ],
})
